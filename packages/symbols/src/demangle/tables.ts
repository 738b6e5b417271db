/** Meanings of short codes in mangled names (Itanium C++ ABI, chapter 5), in the wording of LLVM's demangler. */

export const builtinTypes: Readonly<Record<string, string>> = {
  v: 'void',
  w: 'wchar_t',
  b: 'bool',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: 'int',
  j: 'unsigned int',
  l: 'long',
  m: 'unsigned long',
  x: 'long long',
  y: 'unsigned long long',
  n: '__int128',
  o: 'unsigned __int128',
  f: 'float',
  d: 'double',
  e: 'long double',
  g: '__float128',
  z: '...',
};

/** Types whose code starts with `D`. */
export const moreBuiltinTypes: Readonly<Record<string, string>> = {
  d: 'decimal64',
  e: 'decimal128',
  f: 'decimal32',
  h: 'half',
  i: 'char32_t',
  s: 'char16_t',
  u: 'char8_t',
  a: 'auto',
  c: 'decltype(auto)',
  n: 'std::nullptr_t',
};

/**
 * Notation of a literal of a builtin type: up to three letters are a suffix, longer texts a cast in parentheses
 * before it.
 */
export const literalTypes: Readonly<Record<string, string>> = {
  w: 'wchar_t',
  c: 'char',
  a: 'signed char',
  h: 'unsigned char',
  s: 'short',
  t: 'unsigned short',
  i: '',
  j: 'u',
  l: 'l',
  m: 'ul',
  x: 'll',
  y: 'ull',
  n: '__int128',
  o: 'unsigned __int128',
};

export const operators: Readonly<Record<string, string>> = {
  nw: ' new',
  na: ' new[]',
  dl: ' delete',
  da: ' delete[]',
  aw: ' co_await',
  ps: '+',
  ng: '-',
  ad: '&',
  de: '*',
  co: '~',
  pl: '+',
  mi: '-',
  ml: '*',
  dv: '/',
  rm: '%',
  an: '&',
  or: '|',
  eo: '^',
  aS: '=',
  pL: '+=',
  mI: '-=',
  mL: '*=',
  dV: '/=',
  rM: '%=',
  aN: '&=',
  oR: '|=',
  eO: '^=',
  ls: '<<',
  rs: '>>',
  lS: '<<=',
  rS: '>>=',
  eq: '==',
  ne: '!=',
  lt: '<',
  gt: '>',
  le: '<=',
  ge: '>=',
  ss: '<=>',
  nt: '!',
  aa: '&&',
  oo: '||',
  pp: '++',
  mm: '--',
  cm: ',',
  pm: '->*',
  pt: '->',
  cl: '()',
  ix: '[]',
  qu: '?',
};

/** Abbreviations of the standard library after an `S`: their printed name, and the full name for constructors. */
export const standardNames: Readonly<
  Record<string, { readonly name: string; readonly base: string; readonly full?: string }>
> = {
  a: { name: 'std::allocator', base: 'allocator' },
  b: { name: 'std::basic_string', base: 'basic_string' },
  s: {
    name: 'std::string',
    base: 'basic_string',
    full: 'std::basic_string<char, std::char_traits<char>, std::allocator<char> >',
  },
  i: { name: 'std::istream', base: 'basic_istream', full: 'std::basic_istream<char, std::char_traits<char> >' },
  o: { name: 'std::ostream', base: 'basic_ostream', full: 'std::basic_ostream<char, std::char_traits<char> >' },
  d: { name: 'std::iostream', base: 'basic_iostream', full: 'std::basic_iostream<char, std::char_traits<char> >' },
};

/** Compiler-made objects and functions for a type or a name, by code. */
export const specialNames: Readonly<Record<string, { readonly of: 'type' | 'name'; readonly text: string }>> = {
  TV: { of: 'type', text: 'vtable for ' },
  TT: { of: 'type', text: 'VTT for ' },
  TI: { of: 'type', text: 'typeinfo for ' },
  TS: { of: 'type', text: 'typeinfo name for ' },
  TW: { of: 'name', text: 'thread-local wrapper routine for ' },
  TH: { of: 'name', text: 'thread-local initialization routine for ' },
  GV: { of: 'name', text: 'guard variable for ' },
};
