// peak_of FOLDER PROGRAM [ARGUMENT...]: runs the program, and leaves the greatest resident set that it had, in bytes,
// in a file of the folder. Every rank of a launcher leaves one of its own.
#include <fstream>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const pid_t child = fork();
  if (child < 0) return 1;
  if (child == 0) {
    execvp(argv[2], argv + 2);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child) return 1;
  std::ofstream(argv[1] + ("/peak." + std::to_string(child))) << usage.ru_maxrss * 1024 << '\n';
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
