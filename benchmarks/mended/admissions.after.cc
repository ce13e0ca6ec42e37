// admissions: one line for each patient out of the list of admissions of a
// hospital.  admissions.txt is sorted by patient; its lines are
// "patient;day in;day out;ward".  Writes patients.txt.
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

struct Admission {
  std::string patient, ward;
  int in = 0, out = 0;
};

static bool parse(const std::string& line, Admission& a) {
  std::istringstream s(line);
  std::string in, out;

  if (!std::getline(s, a.patient, ';') || !std::getline(s, in, ';') || !std::getline(s, out, ';') ||
      !std::getline(s, a.ward))
    return false;
  a.in = std::stoi(in);
  a.out = std::stoi(out);
  return true;
}

class Reader {
 public:
  explicit Reader(const char* name) : file(name) { fetch(); }

  bool good() const { return file.is_open(); }

  // reads the next admission
  bool next(Admission& a) {
    if (!ahead_ok) return false;
    a = ahead;
    fetch();
    return true;
  }

  // the patient of the next admission, "" at the end of the file
  std::string peek_patient() { return ahead_ok ? ahead.patient : ""; }

 private:
  void fetch() {
    std::string line;
    ahead_ok = std::getline(file, line) && parse(line, ahead);
  }

  std::ifstream file;
  Admission ahead;
  bool ahead_ok = false;
};

int main() {
  Reader reader("admissions.txt");
  std::ofstream out("patients.txt");
  std::map<std::string, long> ward_days;
  long patients = 0, readmitted = 0;
  Admission a;

  if (!reader.good() || !out) {
    std::cerr << "admissions: cannot open the files\n";
    return 1;
  }
  while (reader.next(a)) {
    int stays = 1, days = a.out - a.in + 1, last_out = a.out;
    bool again = false;

    ward_days[a.ward] += days;
    while (reader.peek_patient() == a.patient) {
      reader.next(a);
      stays++;
      days += a.out - a.in + 1;
      ward_days[a.ward] += a.out - a.in + 1;
      if (a.in - last_out < 30) again = true;
      last_out = a.out;
    }
    patients++;
    readmitted += again;
    out << a.patient << ' ' << stays << " stays, " << days << " days"
        << (again ? ", readmitted" : "") << '\n';
  }
  for (const auto& w : ward_days) std::cout << w.first << ' ' << w.second << '\n';
  std::cout << patients << " patients, " << readmitted << " readmitted\n";
  return 0;
}
