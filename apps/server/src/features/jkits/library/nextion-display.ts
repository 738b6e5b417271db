/** Nextion displays: "The Nextion Instruction Set" (nextion.tech/instruction-set), sections 1, 3, 6 and 7. */
import { nextionInstruction } from './checked-frames.ts';
import type { LibraryJkit } from './library-jkit.ts';

const instruction = (text: string) => ({ content: nextionInstruction(text), type: 'hex' }) as const;

/**
 * Returns an instruction with its expected return code, the first byte of the answer. Every answer ends with three
 * bytes FF (section 7).
 */
const answered = (text: string, code: string) => ({ ...instruction(text), expect: code });

export const nextionDisplay: LibraryJkit = {
  id: '01939c00-0000-7000-8000-00000000c00b',
  name: 'Nextion display: instructions (hex)',
  description:
    'Each ends with FF FF FF, so they are hex: current page, answers on (bkcmd=3), brightness 100 and 20, page 0 and 1, baud rate, touch coordinates on and off, sleep and wake, text of t0, number of n0, clear to white, restart. Factory default: 9600 baud. Switch the console to hex.',
  tags: ['Nextion', 'display', 'HMI', 'TFT', 'touch', 'hex'],
  content: {
    settings: { lineEnding: true, ending: 'none' },
    fields: [
      // 66: number of the page. 71: number. 70: text. 01: executed, sent while bkcmd is 3.
      answered('sendme', '66'),
      answered('bkcmd=3', '01'),
      answered('dim=100', '01'),
      answered('dim=20', '01'),
      answered('page 0', '01'),
      answered('page 1', '01'),
      answered('get baud', '71'),
      answered('get dp', '71'),
      answered('sendxy=1', '01'),
      answered('sendxy=0', '01'),
      answered('get t0.txt', '70'),
      answered('t0.txt="Hello"', '01'),
      answered('get n0.val', '71'),
      answered('n0.val=42', '01'),
      answered('cls WHITE', '01'),
      { ...instruction('sleep=1'), delayMs: 2_000 },
      instruction('sleep=0'),
      instruction('bkcmd=2'),
      { ...instruction('rest'), delayMs: 2_000 },
    ],
  },
};
