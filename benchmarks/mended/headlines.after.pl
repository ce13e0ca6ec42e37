#!/usr/bin/perl
# Writes the headlines of a newspaper archive as a web page, with a list of the words of each section.
use strict;
use warnings;

my %names = (
    politics => 'Politics & Government',
    sports   => 'Sports',
    culture  => 'Arts & Culture',
    economy  => 'Business',
    weather  => 'Weather',
);
my (%words, %sections, $lines);

sub escape {
    my ($text) = @_;
    $text =~ s/&/&amp;/g;
    $text =~ s/</&lt;/g;
    $text =~ s/>/&gt;/g;
    return $text;
}

sub element {
    my ($tag, $class, $text) = @_;
    print "<$tag", ($class ? qq( class="$class") : ''), '>', escape($text), "</$tag>\n";
}

sub begin_page {
    my ($title) = @_;
    print "<!DOCTYPE html>\n<html><head><title>", escape($title), "</title></head>\n<body>\n";
    element('h1', '', $title);
}

sub end_page {
    print "</body></html>\n";
}

sub title_case {
    my ($text) = @_;
    return join ' ', map { ucfirst } split / /, $text;
}

sub headline {
    my ($date, $section, $text) = @_;
    my ($year, $month, $day) = split /-/, $date;
    print '<p class="', $section, '">';
    print '<time>', sprintf('%d.%d.%d', $day, $month, $year), '</time> ';
    print escape(title_case($text));
    print "</p>\n";
    $words{$section}{$_}++ for split / /, $text;
    $sections{$section}++;
}

sub word_list {
    my ($section) = @_;
    my $count = $words{$section};
    element('h2', 'words', $names{$section});
    print "<ol>\n";
    for my $word (sort { $count->{$b} <=> $count->{$a} || $a cmp $b } keys %$count) {
        element('li', '', "$word ($count->{$word})");
    }
    print "</ol>\n";
}

open my $archive, '<', 'archive.txt' or die "archive.txt: $!";
begin_page('Headlines of the Century');
while (my $line = <$archive>) {
    chomp $line;
    my ($date, $section, $text) = split /\|/, $line, 3;
    next unless defined $text;
    headline($date, $section, $text);
    $lines++;
}
close $archive;
word_list($_) for sort keys %sections;
element('p', 'summary', "$lines headlines");
end_page();
