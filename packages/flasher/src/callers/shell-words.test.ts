import { describe, expect, it } from 'vitest';
import { avrFailureText } from '../avr/avr-failure.ts';
import { avrFindings } from '../avr/plan/avr-plan-finding.ts';
import { espFailureText } from '../esp/esp-failure.ts';
import { type EspFindings, encryptRemedy, espFindings } from '../esp/plan/esp-plan-finding.ts';
import { imageFaultText } from '../images/image-error.ts';
import { nrfFailureText } from '../nrf/nrf-failure.ts';
import { ManifestError } from '../release/manifest-fault.ts';
import { stmFindings } from '../stm/plan/stm-plan-finding.ts';
import { stmFailureText } from '../stm/stm-failure.ts';
import { shellText } from './shell-words.ts';

const esp = espFindings();
const stm = stmFindings();
const avr = avrFindings();
/** Remedy of the last refusal or warning. */
const refused = (code: Parameters<EspFindings['refuse']>[0], detail = {}) => {
  esp.refuse(code, { files: ['a.bin'], ...detail });
  return shellText(esp.refusals.at(-1)?.remedy ?? '');
};
const warned = (code: Parameters<EspFindings['warn']>[0]) => {
  esp.warn(code, { files: ['a.bin'], partitions: ['nvs'] });
  return shellText(esp.warnings.at(-1)?.remedy ?? '');
};
const failed = (texts: Readonly<Record<string, { readonly remedy: string }>>, code: string) =>
  shellText(texts[code]?.remedy ?? '');

describe('remedies in a shell', () => {
  it('name the options for settings of a write', () => {
    expect(refused('flash-encryption', { wanted: encryptRemedy })).toBe('Add --encrypt.');
    expect(warned('encrypted-again')).toContain('write it alone, without --encrypt.');
    expect(refused('nvs-in-file')).toBe('Remove the file, or let it replace what is stored with --no-keep-nvs.');
    expect(refused('cannot-keep-nvs')).toBe('Leave --erase-all or --keep-nvs out.');
    expect(warned('nvs-erased')).toBe('Add --keep-nvs if you need them.');
    expect(warned('erases-start')).toBe('Leave --erase-all out, or add all files of the build.');
    expect(refused('flash-size-setting')).toBe('Add --flash-size detect, or build for this size.');
    expect(warned('partitions-beyond-setting')).toBe('Add --flash-size detect.');
    expect(warned('flash-setting-unknown')).toContain('Set --flash-mode, --flash-freq and --flash-size, or');
    expect(refused('settings-not-changed')).toContain('or leave --flash-mode, --flash-freq and --flash-size out.');
    expect(failed(imageFaultText, 'setting-unknown')).toContain('--flash-freq');
    for (const findings of [stm, avr]) {
      findings.warn('rest-is-erased');
      expect(shellText(findings.warnings[0]?.remedy ?? '')).toMatch(/^If you need .*, leave --erase-all out\.$/);
    }
  });

  it('name the options for a connection', () => {
    expect(failed(espFailureText, 'stub-failed')).toBe('Try again. If it keeps failing, add --no-stub.');
    expect(failed(espFailureText, 'not-in-rom')).toContain('Leave --no-stub out');
    expect(failed(espFailureText, 'baud-refused')).toBe('Give a lower --baud.');
    expect(failed(espFailureText, 'read-failed')).toBe('Try again with a lower --baud.');
    expect(failed(espFailureText, 'came-back-different')).toContain('wirebench ports');
    expect(refused('demo-firmware')).toBe('Use --simulate, or firmware for this board.');
    expect(failed(stmFailureText, 'read-protected')).toContain('"wirebench erase"');
  });

  it('leave a change out that a page undoes', () => {
    expect(refused('change-does-not-fit')).toBe('Leave the change out.');
    expect(refused('change-cannot-erase')).toBe('Leave --no-stub out, or leave the change out.');
    expect(refused('change-outdated')).toBe('Run the command again: it reads them first.');
  });

  it('name files in place of dropping them', () => {
    expect(failed(imageFaultText, 'not-this-list')).toContain('as in 0x10000=app.bin');
    expect(failed(imageFaultText, 'zip-method')).toBe('Unpack the archive, and name the files.');
    expect(shellText(new ManifestError('unreachable', { host: 'a.example' }).remedy)).toBe(
      'Check the address and the network.',
    );
  });

  it('say nothing of a page, a browser or its controls', () => {
    const tables = [espFailureText, stmFailureText, nrfFailureText, avrFailureText, imageFaultText];
    const texts = tables.flatMap((all) => Object.values(all)).flatMap(({ what, remedy }) => [what, remedy]);
    const ofPage = /\b(?:this page|[Bb]rowser|tabs?|[Pp]ick|[Dd]rop|"keep")\b/;
    const controls = texts.map(shellText).filter((text) => ofPage.test(text));
    expect(controls).toEqual([]);
  });
});
