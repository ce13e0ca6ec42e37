// usage: failed_reopening FILE
//
// freopen() fails, and closes the descriptor of its stream. Then the program opens FILE twice, and
// prints errno after each success.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char** words) {
  if (count != 2) return 2;
  const int low = open("/dev/null", O_RDONLY);
  FILE* const stream = fopen(words[1], "w");
  if (low < 0 || stream == NULL || freopen("none/none", "w", stream) != NULL) return 1;
  close(low);
  for (int i = 0; i < 2; ++i) {
    errno = 0;
    const int file = open(words[1], O_WRONLY | O_CREAT | O_TRUNC, 0644);
    printf("%d %d\n", file, errno);
  }
  return 0;
}
