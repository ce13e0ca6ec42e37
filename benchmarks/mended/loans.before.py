#!/usr/bin/env python3
"""Loads the loans of a library into a database, and prints what is overdue, the most active readers
and the most wanted titles."""
import csv
import os
import sqlite3

DATABASE = "loans.db"
TODAY = 250

SCHEMA = """
CREATE TABLE reader (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE title (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE loan (id INTEGER PRIMARY KEY, reader INTEGER, title INTEGER, day INTEGER,
                   returned INTEGER);
CREATE INDEX loan_reader ON loan (reader);
CREATE INDEX loan_title ON loan (title);
"""


class Store:
    def __init__(self, path):
        if os.path.exists(path):
            os.remove(path)
        self.connection = sqlite3.connect(path)
        self.connection.execute("PRAGMA synchronous = OFF")
        self.connection.executescript(SCHEMA)
        self.known = {"reader": {}, "title": {}}

    def identify(self, table, name):
        known = self.known[table]
        if name not in known:
            cursor = self.connection.execute(f"INSERT INTO {table} (name) VALUES (?)", (name,))
            known[name] = cursor.lastrowid
        return known[name]

    def add_loan(self, row):
        reader = self.identify("reader", row["reader"])
        title = self.identify("title", row["title"])
        returned = int(float(row["returned"])) if row["returned"] else None
        self.connection.execute("INSERT INTO loan VALUES (?, ?, ?, ?, ?)",
                                (int(row["loan"]), reader, title, int(float(row["day"])), returned))
        self.connection.commit()

    def query(self, text, *arguments):
        return self.connection.execute(text, arguments)

    def close(self):
        self.connection.close()


def load(store, path):
    count = 0
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            store.add_loan(row)
            count += 1
    return count


def report(store):
    print("Overdue:")
    for day, name, title in store.query(
            "SELECT day, reader.name, title.name FROM loan JOIN reader ON reader.id = reader"
            " JOIN title ON title.id = title WHERE returned IS NULL AND day < ?"
            " ORDER BY day, loan.id", TODAY - 28):
        print(f"  day {day}: {name}, {title}")
    print("Readers:")
    for name, count, mean in store.query(
            "SELECT name, count(*) AS n, avg(returned - day) FROM loan JOIN reader"
            " ON reader.id = reader GROUP BY reader ORDER BY n DESC, name LIMIT 20"):
        print(f"  {name}: {count} loans, {mean:.2f} days")
    print("Titles:")
    for name, count in store.query(
            "SELECT name, count(*) AS n FROM loan JOIN title ON title.id = title"
            " GROUP BY title ORDER BY n DESC, name LIMIT 20"):
        print(f"  {name}: {count}")


def main():
    store = Store(DATABASE)
    print(load(store, "loans.csv"), "loans")
    report(store)
    store.close()
    os.remove(DATABASE)


if __name__ == "__main__":
    main()
