#!/usr/bin/env python3
"""Loads the herbarium's list of sheets into a database and makes a report."""
import os
import sqlite3

DB = "herbarium.db"


def parse(line):
    number, species, place, year, altitude = line.rstrip("\n").split(";")
    genus, epithet = species.split(" ", 1)
    return int(number), genus, epithet, place, int(year), int(altitude)


def load(db):
    db.execute("create table sheet (id integer primary key, genus text, epithet text,"
               " place text, year integer, altitude integer)")
    with open("sheets.csv") as f:
        for line in f:
            db.execute("insert into sheet values (?, ?, ?, ?, ?, ?)", parse(line))
            db.commit()


def report(db):
    for row in db.execute("select genus, epithet, count(*), min(year), max(year), avg(altitude)"
                          " from sheet group by genus, epithet order by genus, epithet"):
        print("%-10s %-10s %4d  %d-%d  %6.1f m" % row)
    with open("places.txt", "w") as out:
        for row in db.execute("select place, year / 10 * 10 as decade, count(*) from sheet"
                              " group by place, decade order by place, decade"):
            out.write("%s %ds %d\n" % row)


def main():
    if os.path.exists(DB):
        os.remove(DB)
    db = sqlite3.connect(DB)
    load(db)
    report(db)
    db.close()
    os.remove(DB)


main()
