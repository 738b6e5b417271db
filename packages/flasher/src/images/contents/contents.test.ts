import { joined } from '@wirebench/port/bytes';
import { randomSeeds } from '@wirebench/test-input';
import { gzipSync, strToU8, zipSync, zlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import {
  buildLittleFs,
  buildNvs,
  buildOtaData,
  buildTable,
  factoryLayout,
  otaLayout,
} from '../../esp/testing/esp-data.ts';
import { buildApp, buildBootloader, buildImage, esp8266Address, filler } from '../../esp/testing/esp-images.ts';
import { fromHex } from '../../testing/from-hex.ts';
import { noise } from '../../testing/program.ts';
import { buildIntelHex, buildSRecords, buildTiTxt, buildUf2 } from '../testing/formats.ts';
import { contentsOf, contentsSampleSize, type FileContents } from './contents.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function utf16(text: string, { littleEndian = true, mark = true } = {}): Uint8Array {
  const bytes = new Uint8Array(2 * text.length + (mark ? 2 : 0));
  const view = new DataView(bytes.buffer);
  [...(mark ? '\ufeff' : ''), ...text].forEach((character, index) => {
    view.setUint16(2 * index, character.charCodeAt(0), littleEndian);
  });
  return bytes;
}

/** Returns `size` zero bytes with each part written at its offset. */
function withBytes(size: number, ...parts: readonly (readonly [at: number, bytes: Uint8Array])[]): Uint8Array {
  const whole = new Uint8Array(size);
  for (const [at, bytes] of parts) {
    whole.set(bytes, at);
  }
  return whole;
}

function vectors(stack: number, reset: number): Uint8Array {
  const bytes = new Uint8Array(512);
  const view = new DataView(bytes.buffer);
  [stack, reset, reset + 8, reset + 16].forEach((word, index) => {
    view.setUint32(4 * index, word, true);
  });
  return bytes;
}

function elf(machine: number, { is64 = false, isBig = false } = {}): Uint8Array {
  const bytes = withBytes(64, [0, Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, is64 ? 2 : 1, isBig ? 2 : 1, 1)]);
  new DataView(bytes.buffer).setUint16(18, machine, !isBig);
  return bytes;
}

const page = '<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title></head><body>…</body></html>\n';
const pe = withBytes(256, [0, asciiBytes('MZ')], [0x3c, Uint8Array.of(0x80)], [0x80, asciiBytes('PE\0\0')]);
const lines = (count: number) =>
  Array.from({ length: count }, (_, line) => `I (${line}) wifi: state ${line}\r\n`).join('');

describe('contents of a file', () => {
  it.each<[string, FileContents, Uint8Array]>([
    ['a page', 'web-page', utf8(page)],
    ['a page behind a mark, blanks and a comment', 'web-page', utf8(`\ufeff \n<!-- saved -->\n${page}`)],
    ['a page in capitals without a type', 'web-page', utf8('<HTML><BODY>404</BODY></HTML>')],
    ['a page in another code page', 'web-page', latin1('<html><body>\x00 Gr\xfc\xdfe \x81\x8d</body></html>')],
    ['a page in UTF-16', 'web-page', utf16(page)],
    ['a page larger than the sample', 'web-page', utf8(page.padEnd(100_000, 'x'))],
    ['the head of an HTTP answer', 'web-answer', utf8('HTTP/1.1 302 Found\r\nLocation: /login\r\n\r\n')],
    ['what raw.githubusercontent.com answers', 'web-answer', utf8('404: Not Found')],
    ['a refusal in words', 'web-answer', utf8('Access denied\n')],
    ['an error of an API', 'json', utf8('{"message":"Not Found","status":"404"}')],
    ['a list of an API', 'json', utf8(`[\n  {"name": "app.bin"}\n]`)],
    ['JSON larger than the sample', 'json', utf8(JSON.stringify({ assets: 'x'.repeat(100_000) }))],
    ['an error of a storage server', 'xml', utf8('<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>')],
    ['XML without a declaration', 'xml', utf8('<Error><Code>NoSuchKey</Code></Error>')],
    [
      'a Git LFS pointer',
      'lfs-pointer',
      utf8('version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n'),
    ],
    [
      'the source of a partition table',
      'table-source',
      utf8('# Name, Type, SubType, Offset, Size, Flags\nnvs,data,nvs,0x9000,0x6000,\n'),
    ],
    [
      'the source of a partition table without a heading',
      'table-source',
      utf8('nvs,      data, nvs,     0x9000,  0x6000,\n'),
    ],
    ['plain text', 'text', utf8('just some text, long enough\n')],
    ['Markdown', 'text', utf8('# Weather node\n\nFlash `app.bin` at 0x10000.\n')],
    ['a shell script', 'text', utf8('#!/bin/sh\nesptool write_flash 0x10000 app.bin\n')],
    ['a log with colours', 'text', utf8(`\x1b[0;32m${lines(3)}\x1b[0m`)],
    ['a long log', 'text', utf8(lines(5_000))],
    ['a certificate', 'text', utf8(`-----BEGIN CERTIFICATE-----\n${'MIIB'.repeat(16)}\n-----END CERTIFICATE-----\n`)],
    ['text in UTF-8', 'text', utf8('Прошивка для платы, версия 1.2 — готово ✅\n')],
    ['text in UTF-8 that is cut in a character', 'text', utf8('Schöne\nGrüße').subarray(0, 13)],
    ['text in Latin-1', 'text', latin1(`Gr\xfc\xdfe aus M\xfcnchen. ${'Die Datei fehlt. '.repeat(4)}`)],
    ['text in UTF-16', 'text', utf16('Die Datei wurde nicht gefunden.\n')],
    ['text in UTF-16, big endian', 'text', utf16('Die Datei wurde nicht gefunden.\n', { littleEndian: false })],
    ['text in UTF-16 without a mark', 'text', utf16('The file is on its way.\n', { mark: false })],
    ['text padded with 0xFF', 'text', joined(utf8(lines(4)), new Uint8Array(4_096).fill(0xff))],
    ['text padded with zeros', 'text', joined(utf8(lines(4)), new Uint8Array(4_096))],
    ['Intel HEX', 'intel-hex', buildIntelHex([{ address: 0x9000, bytes: filler(40) }])],
    [
      'Intel HEX behind a remark',
      'intel-hex',
      joined(utf8('; made by a tool\r\n'), buildIntelHex([{ address: 0, bytes: filler(40) }])),
    ],
    ['S-records', 's-record', buildSRecords([{ address: 0x9000, bytes: filler(40) }])],
    ['TI-TXT', 'ti-txt', buildTiTxt([{ address: 0x9000, bytes: filler(40) }])],
    ['zip', 'zip', zipSync({ 'app.bin': filler(200) })],
    ['an empty zip', 'zip', zipSync({})],
    ['gzip', 'compressed', gzipSync(buildApp())],
    ['zlib', 'compressed', zlibSync(buildApp())],
    ['a small zlib', 'compressed', zlibSync(strToU8('some words to squeeze'))],
    ['xz', 'compressed', fromHex('fd377a585a000004e6d6b446')],
    ['zstd', 'compressed', fromHex('28b52ffd2459010000')],
    ['LZ4', 'compressed', fromHex('04224d186440a7')],
    ['bzip2', 'compressed', joined(asciiBytes('BZh91AY&SY'), noise(40, 3))],
    ['LZMA', 'compressed', joined(fromHex('5d00008000ffffffffffffffff00'), noise(40, 4))],
    ['compress', 'compressed', joined(fromHex('1f9d90'), noise(40, 5))],
    ['7-Zip', 'archive', fromHex('377abcaf271c0004')],
    ['RAR', 'archive', asciiBytes('Rar!\x1a\x07\x01\0')],
    ['tar', 'archive', withBytes(1_024, [0, asciiBytes('app.bin')], [257, asciiBytes('ustar\x0000')])],
    ['a static library', 'archive', asciiBytes('!<arch>\nlibmain.a/      0     ')],
    ['PNG', 'picture', fromHex('89504e470d0a1a0a0000000d49484452')],
    ['JPEG', 'picture', fromHex('ffd8ffe000104a464946')],
    ['BMP', 'picture', withBytes(100, [0, asciiBytes('BM')], [14, Uint8Array.of(40)])],
    ['WebP', 'picture', joined(asciiBytes('RIFF'), Uint8Array.of(9, 9, 0, 0), asciiBytes('WEBPVP8 '))],
    ['WAV', 'media', joined(asciiBytes('RIFF'), Uint8Array.of(9, 9, 0, 0), asciiBytes('WAVEfmt '))],
    ['PDF', 'document', joined(asciiBytes('%PDF-1.7\n'), noise(40, 6))],
    ['a program for Windows', 'computer-program', pe],
    ['a program for Linux on x86-64', 'computer-program', elf(62, { is64: true })],
    ['a program for a big-endian machine', 'computer-program', elf(20, { isBig: true })],
    ['a program for macOS', 'computer-program', fromHex('cffaedfe0c000001')],
    ['a program for macOS on two processors', 'computer-program', fromHex('cafebabe00000002')],
    [
      'what macOS adds to an archive',
      'mac-metadata',
      joined(fromHex('0005160700020000'), asciiBytes('Mac OS X        ')),
    ],
    ['an ELF file for Arm', 'elf', elf(40)],
    ['an ELF file for Xtensa', 'esp-elf', elf(94)],
    ['an ELF file for RISC-V without addresses', 'elf', elf(243)],
    ['an ELF file for Linux on Arm', 'computer-program', withBytes(64, [0, elf(40)], [7, Uint8Array.of(3)])],
    ['UF2', 'uf2', buildUf2({ address: 0, bytes: filler(300) }, 0xada52840)],
    ['DfuSe', 'dfuse', joined(asciiBytes('DfuSe\x01'), Uint8Array.of(40, 1, 0, 0, 1))],
    ['an app for an ESP32', 'esp-image', buildApp()],
    ['a bootloader that is cut off', 'esp-image', buildBootloader().subarray(0, 200)],
    ['a program for an STM32', 'stm-program', vectors(0x2000_5000, 0x0800_0199)],
    ['a program for another Cortex-M', 'arm-program', vectors(0x2001_0000, 0x0002_6199)],
    ['erased flash', 'erased', new Uint8Array(100_000).fill(0xff)],
    ['zeros', 'zeros', new Uint8Array(100_000)],
  ])('are recognised: %s', (_, contents, bytes) => {
    expect(contentsOf(bytes)).toBe(contents);
  });

  it.each<[string, Uint8Array]>([
    ['no bytes', new Uint8Array()],
    ['a partition table', buildTable(factoryLayout)],
    ['a partition table of five', buildTable(otaLayout, { withMd5: false })],
    ['OTA data', buildOtaData(1)],
    ['NVS', buildNvs()],
    ['LittleFS', buildLittleFs()],
    ['data that begins like an image', Uint8Array.from(noise(4_096, 7), (byte, index) => (index === 0 ? 0xe9 : byte))],
    ['data without bytes above 0x7F', filler(5_000)],
    ['a pattern of two letters', asciiBytes('AB'.repeat(2_000))],
    ['a pattern of four letters', asciiBytes('wire'.repeat(2_000))],
    ['one byte again and again', new Uint8Array(4_000).fill(0x42)],
    ['a short word', asciiBytes('boot')],
    ['a serial number', asciiBytes('SN-2026-0000417')],
    ['a short mark in front of erased flash', joined(asciiBytes('FONTS001'), new Uint8Array(4_000).fill(0xff))],
    ['numbers of 16 bits', Uint8Array.from({ length: 2_000 }, (_, index) => (index % 2 === 0 ? index & 0x1f : 0))],
    ['samples of a quiet sound', Uint8Array.from({ length: 4_000 }, (_, index) => 0x80 + (index % 5) - 2)],
    ['text with a NUL inside', asciiBytes(`name\0value\0${'key\0setting\0'.repeat(20)}`)],
    ['zeros and a few bytes', withBytes(70_000, [69_000, filler(40)])],
  ])('is null for data: %s', (_, bytes) => {
    expect(contentsOf(bytes)).toBeNull();
  });

  it('is null for noise of every size', () => {
    for (const seed of randomSeeds(3_000)) {
      const bytes = noise(8 + (seed % 200) * 5, seed);
      expect(contentsOf(bytes), `seed ${seed}`).toBeNull();
    }
  });

  it('is an image of an ESP8266 by its short header', () => {
    expect(contentsOf(buildImage({ chipId: null, segments: [{ address: esp8266Address, data: filler(40) }] }))).toBe(
      'esp-image',
    );
  });

  it('needs no more than the start of a file that is not uniform', () => {
    const rest = noise(50_000, 11);
    for (const start of [utf8(lines(2_000)), gzipSync(noise(60_000, 12)), utf8(page.padEnd(60_000, ' x'))]) {
      const bytes = joined(start.subarray(0, contentsSampleSize), rest);
      expect(contentsOf(bytes)).toBe(contentsOf(bytes.subarray(0, contentsSampleSize)));
    }
  });
});
