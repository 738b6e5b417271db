/**
 * Python that runs on boards: MicroPython from 1.12 on, and CircuitPython from 7 on. Written for boards with little
 * memory: small pieces, no classes, files in blocks.
 *
 * Differences of CircuitPython are from its documentation (docs.circuitpython.org, `os`, `binascii`, `hashlib`), not
 * tried: no `ilistdir`, `hashlib.new` instead of `sha256`, no `binascii` and no `hashlib` on small boards.
 */
import { bytesLiteral, pathLiteral } from './python-text.ts';

/** Bytes of a file in one line of code or output, before they are encoded. */
export const BLOCK_BYTES = 384;

/**
 * Defines what the other pieces use. All names begin with `_wb_` and are deleted by `epilogue`. `_wb_p` prints bytes:
 * `=` and base64, or `~` and a bytes literal on boards without `binascii`.
 */
export const prologue = `
try:
 import os as _wb_o
except ImportError:
 import uos as _wb_o
try:
 import binascii as _wb_b
except ImportError:
 try:
  import ubinascii as _wb_b
 except ImportError:
  _wb_b=None
try:
 import hashlib as _wb_h
except ImportError:
 try:
  import uhashlib as _wb_h
 except ImportError:
  _wb_h=None
def _wb_p(d):
 if _wb_b:
  print('='+str(_wb_b.b2a_base64(d),'utf-8').strip())
 else:
  print('~'+repr(bytes(d)))
def _wb_n():
 try:
  return _wb_h.sha256()
 except AttributeError:
  return _wb_h.new('sha256')
try:
 _wb_n().update(b'')
except Exception:
 _wb_h=None
_wb_f=None
print('#',1 if _wb_b else 0,1 if _wb_h else 0)
`;

/** Closes what is open, and deletes every name of the prologue. */
export const epilogue = `
try:
 _wb_f.close()
except Exception:
 pass
for _wb_k in [k for k in globals() if k.startswith('_wb_')]:
 del globals()[_wb_k]
del _wb_k
`;

/**
 * Prints a line for each entry of a folder: `#`, its kind and its size in bytes; then the name as bytes. The kind is 1 for
 * a folder, 0 for a file and 2 for an entry that the board cannot tell. Asks by bytes, since a name that is no UTF-8 fails
 * as a string; CircuitPython may know strings only.
 */
export function listCode(folder: string): string {
  return `
_wb_q=${bytesLiteral(folder === '/' ? '/' : `${folder}/`)}
try:
 _wb_l=_wb_o.listdir(${bytesLiteral(folder)})
except TypeError:
 _wb_l=_wb_o.listdir(${pathLiteral(folder)})
for _wb_e in _wb_l:
 if not isinstance(_wb_e,bytes):
  _wb_e=_wb_e.encode()
 try:
  try:
   _wb_s=_wb_o.stat(_wb_q+_wb_e)
  except TypeError:
   _wb_s=_wb_o.stat(str(_wb_q+_wb_e,'utf-8'))
  print('#',1 if _wb_s[0]&0x4000 else 0,_wb_s[6])
 except (OSError,ValueError):
  print('# 2 0')
 _wb_p(_wb_e)
`;
}

/** Prints 1 for a folder or 0 for a file, and the size in bytes. */
export function statCode(path: string): string {
  return `
_wb_s=_wb_o.stat(${pathLiteral(path)})
print('#',1 if _wb_s[0]&0x4000 else 0,_wb_s[6])
`;
}

/** Prints the free and all bytes of the file system that holds a folder. */
export function spaceCode(folder: string): string {
  return `
_wb_s=_wb_o.statvfs(${pathLiteral(folder)})
print('#',_wb_s[1]*_wb_s[4],_wb_s[1]*_wb_s[2])
`;
}

export function openCode(path: string, mode: 'rb' | 'wb'): string {
  return `_wb_f=open(${pathLiteral(path)},'${mode}')`;
}

/** Writes a block. `write` may take fewer bytes on a full file system: their number is checked. */
export function writeCode(literal: string, isBase64: boolean): string {
  const value = isBase64 ? `_wb_b.a2b_base64(${literal})` : literal;
  return `_wb_d=${value}\nprint('#',_wb_f.write(_wb_d))`;
}

export const closeCode = '_wb_f.close()';

/** Prints up to `blocks` blocks of the open file. */
export function readCode(blocks: number): string {
  return `
for _wb_i in range(${blocks}):
 _wb_d=_wb_f.read(${BLOCK_BYTES})
 if not _wb_d:
  break
 _wb_p(_wb_d)
`;
}

/** Prints the SHA-256 of a file as bytes. */
export function hashCode(path: string): string {
  return `
with open(${pathLiteral(path)},'rb') as _wb_f:
 _wb_g=_wb_n()
 while True:
  _wb_d=_wb_f.read(${BLOCK_BYTES})
  if not _wb_d:
   break
  _wb_g.update(_wb_d)
_wb_p(_wb_g.digest())
`;
}

export const makeFolderCode = (path: string): string => `_wb_o.mkdir(${pathLiteral(path)})`;
export const removeFileCode = (path: string): string => `_wb_o.remove(${pathLiteral(path)})`;
export const removeFolderCode = (path: string): string => `_wb_o.rmdir(${pathLiteral(path)})`;
export const renameCode = (from: string, to: string): string => `_wb_o.rename(${pathLiteral(from)},${pathLiteral(to)})`;

/** Prints the system's name and version as bytes. */
export const identityCode = `
import sys as _wb_y
_wb_p(('%s %s; %s'%(_wb_y.implementation[0],'.'.join([str(x) for x in _wb_y.implementation[1][:3]]),_wb_y.platform)).encode())
`;
