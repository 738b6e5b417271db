/**
 * Builds a big ELF file for measurements. One C++ source that uses much of the standard library is compiled once,
 * then linked several times under other names, so that the copies share nothing. The program cannot run.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = `
#include <functional>
#include <iostream>
#include <map>
#include <regex>
#include <string>
#include <vector>

struct Key { int number; std::string text; bool operator<(const Key &other) const { return number < other.number; } };

int search(const std::string &text) {
  std::regex pattern("a(b|c)*");
  std::map<Key, std::vector<std::string>> groups;
  groups[Key{1, text}].push_back(text);
  std::function<int(int)> weigh = [&](int x) { return x + static_cast<int>(groups.size()); };
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    std::cout << match->str() << weigh(1);
  }
  return std::regex_search(text, pattern);
}
`;

/**
 * Builds the program, about 1.5 MB for each copy.
 *
 * @returns Path of the file.
 * @throws Error if g++ or the binutils are missing.
 */
export function bigProgram(folder: string, copies: number): string {
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'source.cpp'), source);
  run('g++', '-g', '-O2', '-c', 'source.cpp', '-o', 'source.o');
  const prefixes = Array.from({ length: copies }, (_, copy) => `copy${copy}_`);
  for (const prefix of prefixes) {
    run('objcopy', `--prefix-symbols=${prefix}`, 'source.o', `${prefix}.o`);
  }
  // The linker requires a few symbols of the C library.
  const handles = prefixes.map((prefix) => `-Wl,--defsym,${prefix}__dso_handle=0`);
  const objects = prefixes.map((prefix) => `${prefix}.o`);
  const flags = ['-nostdlib', '-static', '-Wl,--unresolved-symbols=ignore-all,-e,0'];
  run('g++', ...flags, ...handles, ...objects, '-o', 'big.elf');
  return join(folder, 'big.elf');
}
