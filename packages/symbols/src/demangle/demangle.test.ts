import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { missingTools } from '../testing/toolchains.ts';
import { demangle } from './demangle.ts';

/** Mangled names and the output of `llvm-cxxfilt` (LLVM 14). */
const known: readonly (readonly [string, string])[] = [
  ['_Z4loopv', 'loop()'],
  ['_Z5addUpiPKcRdOf', 'addUp(int, char const*, double&, float&&)'],
  ['_ZN3app5Motor3runEv', 'app::Motor::run()'],
  ['_ZNK3app5Motor5speedEv', 'app::Motor::speed() const'],
  ['_ZN3app5MotorC2Ei', 'app::Motor::Motor(int)'],
  ['_ZN3app5MotorD0Ev', 'app::Motor::~Motor()'],
  ['_ZN12_GLOBAL__N_16hiddenEi', '(anonymous namespace)::hidden(int)'],
  ['_ZL6hiddeni', 'hidden(int)'],
  ['_ZplRK5PointS1_', 'operator+(Point const&, Point const&)'],
  ['_ZN5PointcvbEv', 'Point::operator bool()'],
  ['_ZNSt6vectorIiSaIiEE9push_backERKi', 'std::vector<int, std::allocator<int> >::push_back(int const&)'],
  ['_ZNSs6appendEPKcm', 'std::string::append(char const*, unsigned long)'],
  ['_ZSt4moveIRiEONSt16remove_referenceIT_E4typeEOS2_', 'std::remove_reference<int&>::type&& std::move<int&>(int&)'],
  ['_Z5applyIJicEEvDpT_', 'void apply<int, char>(int, char)'],
  ['_Z5applyIJEEvDpT_', 'void apply<>()'],
  ['_Z3runPFviE', 'run(void (*)(int))'],
  ['_Z4takeRA3_KiPA2_A4_c', 'take(int const (&) [3], char (*) [2][4])'],
  ['_Z4callM5PointKFivE', 'call(int (Point::*)() const)'],
  ['_ZZ4mainENKUliE_clEi', "main::'lambda'(int)::operator()(int) const"],
  ['_ZZN1A3runEvE5count', 'A::run()::count'],
  ['_Z3getILi5EEiv', 'int get<5>()'],
  ['_Z3getILb1ELj7ELc97EEvv', 'void get<true, 7u, (char)97>()'],
  ['_Z3getIL5Color2EEvv', 'void get<(Color)2>()'],
  ['_ZTV5Motor', 'vtable for Motor'],
  ['_ZThn16_N5Motor3runEv', 'non-virtual thunk to Motor::run()'],
  ['_ZGVZ3runvE5state', 'guard variable for run()::state'],
  ['_Z5totalPii.part.0', 'total(int*, int) (.part.0)'],
  ['_ZN4core9panicking9panic_fmt17h0123456789abcdefE', 'core::panicking::panic_fmt::h0123456789abcdef'],
];

describe('demangling', () => {
  it.each(known)('%s', (mangled, expected) => {
    expect(demangle(mangled)).toBe(expected);
  });

  it.each([
    ['a C name', 'app_main'],
    ['an empty name', ''],
    ['a name that is cut off', '_ZN3app5Mot'],
    ['a name with something behind it', '_Z4loopv!'],
    ['an expression in template arguments', '_Z1fIXadL_Z1gvEEEvv'],
    ['a number that nothing can count', '_Z99999999999999999999x'],
    ['a type named by an expression', '_Z1fIiEDTcl1gfp_EET_'],
  ])('gives no answer for %s', (_, mangled) => {
    expect(demangle(mangled)).toBeUndefined();
  });

  it('gives up on a short name that stands for an endless one', () => {
    const doubled = Array.from(
      { length: 30 },
      (_, index) => `S${index === 0 ? '' : (index - 1).toString(36).toUpperCase()}_`,
    );
    const mangled = `_Z1f${doubled.reduce((type, seen) => `1xI${type}${seen}E`, 'P1y')}`;
    expect(() => demangle(mangled)).not.toThrow();
    const nested = `_Z1fI${'J'.repeat(3_000)}`;
    expect(demangle(nested)).toBeUndefined();
  });

  it('never throws', () => {
    const piece = fc.constantFrom(
      ...'N E I S_ S0_ T_ T0_ St Ss P R K F v i 1a 3foo Dp J L Li5E Z UlvE_ C1 D1 cv A3_ M 0 _ . X GV TV B'.split(' '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const name = demangle(`_Z${pieces.join('')}`);
        expect(name === undefined || name.length > 0).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  const missing = missingTools(['g++', 'nm', 'llvm-cxxfilt']);
  it.runIf(missing.length === 0)('agrees with llvm-cxxfilt on the whole standard library', { timeout: 60_000 }, () => {
    const run = (command: string, args: string[], input = '') =>
      spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;
    const library = run('g++', ['-print-file-name=libstdc++.so.6']).trim();
    const symbols = run('nm', ['-D', '--defined-only', library])
      .split('\n')
      .map((line) => line.split(' ').at(-1)?.replace(/@.*/, '') ?? '')
      // LLVM 14 omits the name of a constructor whose class has an ABI tag.
      .filter((name) => name.startsWith('_Z') && !/B5cxx11[CD]\d/.test(name));
    const expected = run('llvm-cxxfilt', [], `${symbols.join('\n')}\n`).split('\n');
    const understood = symbols.flatMap((symbol, index) => {
      const name = demangle(symbol);
      return name === undefined ? [] : [{ symbol, name, expected: expected[index] }];
    });
    // Newer versions of LLVM close template arguments with `>>`.
    const close = (name = '') => name.replaceAll('> >', '>>').replaceAll('> >', '>>');
    const wrong = understood.filter(({ name, expected: wanted }) => close(name) !== close(wanted));
    expect(wrong).toEqual([]);
    expect(understood.length / symbols.length).toBeGreaterThan(0.97);
  });
});
