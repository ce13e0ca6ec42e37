"""clinic: import vaccination records.

Checks the rows of vaccinations.csv (patient, birth year, vaccine, date, dose)
with a database that is made for the purpose, and writes patients.sql, a dump
that the registry can load, and errors.txt, the doses that are out of order.
"""
import csv
import os
import sqlite3

DB = 'work.db'


def create():
    if os.path.exists(DB):
        os.remove(DB)
    db = sqlite3.connect(DB)
    db.execute('CREATE TABLE patient (id TEXT PRIMARY KEY, born INTEGER)')
    db.execute('CREATE TABLE dose (patient TEXT, vaccine TEXT, day TEXT, number INTEGER,'
               ' PRIMARY KEY (patient, vaccine, number))')
    return db


def import_row(db, row, errors):
    patient, born, vaccine, day, number = row
    number = int(number)
    db.execute('INSERT OR IGNORE INTO patient VALUES (?, ?)', (patient, int(born)))
    if number > 1:
        before = db.execute('SELECT day FROM dose WHERE patient = ? AND vaccine = ?'
                            ' AND number = ?', (patient, vaccine, number - 1)).fetchone()
        if before is None or before[0] >= day:
            errors.write('%s %s dose %d on %s\n' % (patient, vaccine, number, day))
    db.execute('INSERT OR REPLACE INTO dose VALUES (?, ?, ?, ?)',
               (patient, vaccine, day, number))
    db.commit()


def main():
    db = create()
    rows = 0
    with open('vaccinations.csv', newline='') as f, open('errors.txt', 'w') as errors:
        for row in csv.reader(f):
            import_row(db, row, errors)
            rows += 1
    with open('patients.sql', 'w') as out:
        for statement in db.iterdump():
            out.write(statement + '\n')
    print(rows, 'rows')
    for vaccine, n in db.execute('SELECT vaccine, count(*) FROM dose GROUP BY vaccine'
                                 ' ORDER BY vaccine'):
        print(vaccine, n)
    db.close()
    os.remove(DB)


main()
