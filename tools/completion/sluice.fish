# Prints the words before the cursor that are neither options nor values of options: the command
# and its arguments. After `--`, every word is such a word.
function __sluice_words
    set -l is_value
    set -l options_ended
    for word in (commandline -opc)[2..]
        if test -n "$is_value"
            set is_value
        else if test -z "$options_ended" -a "$word" = --
            set options_ended yes
        else if test -z "$options_ended"; and string match -q -- '-*' $word
            contains -- $word $__sluice_options_with_value; and set is_value yes
        else
            echo -- $word
        end
    end
end

# __sluice_command_is COMMAND: the line has this command. "" is a line without one.
function __sluice_command_is
    set -l words (__sluice_words)
    test "$words[1]" = "$argv[1]"
end

# __sluice_argument_of COMMAND [MOST]: the next word is an argument of the command, which takes no
# more than MOST. A word such as --compress=lz4 is none, unless it comes after `--`.
function __sluice_argument_of
    set -l words (__sluice_words)
    if string match -q -- '-*=*' (commandline -ct); and not contains -- -- (commandline -opc)
        return 1
    end
    test "$words[1]" = $argv[1]; or return 1
    test (count $argv) -lt 2; or test (count $words) -le $argv[2]
end

# __sluice_typing START: the word at the cursor begins with this text.
function __sluice_typing
    string match -q -- "$argv[1]*" (commandline -ct)
end

function __sluice_given
    contains -- $argv[1] (commandline -opc)
end

# Completes the program that stands after the command, and its arguments. The program is no function
# of fish, because sluice starts it.
function __sluice_program
    set -l words (__sluice_words)
    set -l typed
    for word in $words[2..]
        set -a typed (string escape -- $word)
    end
    set -a typed (commandline -ct)
    string match -q -- '-*' "$typed"; and return
    for line in (complete -C "$typed")
        set -l word (string split -f 1 -- \t $line)
        test (count $words) -ne 1; or string match -q -- '*/*' $word; or command -q $word
        and echo -- $line
    end
end

complete -c sluice -f
