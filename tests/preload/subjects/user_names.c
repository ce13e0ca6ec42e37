// usage: user_names HOW TIMES NAMES
//
// Asks TIMES times for one of NAMES users and for one of as many groups (HOW is "numbers" or
// "names"), for one of as many services ("services"), or for the host "localhost" by its name
// ("hosts") or its address ("addresses"), or for a host that begins with a digit and has a name too
// long for any server ("digits"), and prints how many have been found.
#include <arpa/inet.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char long_name[] =
    "3-is-the-first-of-the-characters-of-this-name-which-has-more-than-63-of-them";

static int finds_host(const char* host, const char* service) {
  struct addrinfo* list = NULL;
  if (getaddrinfo(host, service, NULL, &list) != 0) return 0;
  freeaddrinfo(list);
  return 1;
}

int main(int count, char** words) {
  if (count != 4) return 2;
  const char* const how = words[1];
  const long times = strtol(words[2], NULL, 10);
  const long names = strtol(words[3], NULL, 10);
  long found = 0;
  for (long i = 0; i < times; ++i) {
    const long number = i % names;
    char name[32];
    snprintf(name, sizeof name, "n%ld", number);
    if (strcmp(how, "numbers") == 0) {
      found += getpwuid((uid_t)number) != NULL;
      found += getgrgid((gid_t)number) != NULL;
    } else if (strcmp(how, "names") == 0) {
      found += getpwnam(name) != NULL;
      found += getgrnam(name) != NULL;
    } else if (strcmp(how, "hosts") == 0) {
      found += gethostbyname("localhost") != NULL;
      snprintf(name, sizeof name, "%ld", number);
      found += finds_host("localhost", name);
    } else if (strcmp(how, "digits") == 0) {
      found += gethostbyname(long_name) != NULL;
    } else if (strcmp(how, "addresses") == 0) {
      found += gethostbyname("127.0.0.1") != NULL;
      found += finds_host("::1", NULL) + finds_host(NULL, "80");
    } else {
      for (int protocol = 0; protocol < 2; ++protocol) {
        const char* const protocols[] = {"tcp", "udp"};
        found += getservbyport(htons((uint16_t)number), protocols[protocol]) != NULL;
        found += getservbyname(name, protocols[protocol]) != NULL;
      }
    }
  }
  printf("%ld\n", found);
  return 0;
}
