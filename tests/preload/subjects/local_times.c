// usage: local_times TIMES [TZ]
//
// Works out the local time of TIMES moments, each after tzset(), with this time zone in the
// environment or without one.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int count, char** words) {
  if (count != 2 && count != 3) return 2;
  if (count == 3) {
    setenv("TZ", words[2], 1);
  } else {
    unsetenv("TZ");
  }
  const long times = strtol(words[1], NULL, 10);
  long hours = 0;
  for (time_t moment = 0; moment < times; ++moment) {
    tzset();
    hours += localtime(&moment)->tm_hour;
  }
  printf("%ld\n", hours);
  return 0;
}
