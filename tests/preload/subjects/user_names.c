// usage: user_names TIMES USERS
//
// Asks TIMES times for one of USERS users and for one of as many groups, and prints how many names
// have been found.
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char** words) {
  if (count != 3) return 2;
  const long times = strtol(words[1], NULL, 10);
  const long users = strtol(words[2], NULL, 10);
  long found = 0;
  for (long i = 0; i < times; ++i) {
    found += getpwuid((uid_t)(i % users)) != NULL;
    found += getgrgid((gid_t)(i % users)) != NULL;
  }
  printf("%ld\n", found);
  return 0;
}
