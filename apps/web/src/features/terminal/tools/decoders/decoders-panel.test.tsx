/** Tests the tool of decoders and the strip of a port against the worker's own check of decoders and files. */
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { fileHash, readDecoderFile } from '@wirebench/frames/decoder-file';
import { afterEach, describe, expect, it } from 'vitest';
import type { DecoderAnswer, GivenDecoder } from '../../../../protocol/bench/frame-part.ts';
import { readHook, resetStores } from '../../../../shared/testing/stores.ts';
import { Toaster } from '../../../../shared/ui/toaster.tsx';
import { chooseDecoder } from '../../../../workbench/decoders/choose-decoder.ts';
import type { OwnDecoderId } from '../../../../workbench/decoders/decoder-id.ts';
import {
  changeKept,
  keepDecoder,
  keptDecodersNow,
  removeKept,
  titleOf,
} from '../../../../workbench/decoders/kept-decoders.ts';
import { fakeBench } from '../../../../workbench/testing/fake-bench.ts';
import { savedBy } from '../../../../workbench/testing/saved-files.ts';
import { ownReader } from '../../../../worker/bench/own-decoder.ts';
import { DecoderSelect } from '../../settings/decoder-field.tsx';
import { changeDecoder, terminalSettingsNow, useTerminalSettings } from '../../settings/settings-store.ts';
import { DroppedFileStrips, takeDroppedFile } from '../dropped-files.tsx';
import { openToolNow, showTool } from '../open-tool.ts';
import { DecoderStrip } from './decoder-strip.tsx';
import { DecodersPanel } from './decoders-panel.tsx';

const dbc = 'VERSION ""\nBO_ 256 Motor: 2 ECU\n SG_ Speed : 0|16@1+ (0.5,0) [0|0] "rpm" Panel\n';
const dbcFile = (text = dbc, name = 'motor.dbc') => new File([text], name);
const sha256 = fileHash(new TextEncoder().encode(dbc));

/** Decoders that the bench was given, newest last. */
const given: (GivenDecoder | null)[] = [];
const call = fakeBench(async (name, ...args) => {
  if (name === 'readDecoderFile') {
    const [file, blob] = args as unknown as [string, Blob];
    return readDecoderFile(file, new Uint8Array(await blob.arrayBuffer()));
  }
  if (name === 'setDecoder') {
    const [, decoder] = args as unknown as [number, GivenDecoder | null];
    given.push(decoder);
    const prepared = typeof decoder === 'object' && decoder !== null ? await ownReader(decoder) : null;
    return prepared !== null && 'kind' in prepared ? prepared : { kind: 'applied' };
  }
  return undefined;
});

const content = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Content' });
const filesOf = () => screen.getByRole('region', { name: 'Files of the decoder' });
const start = (name: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: 'Start a decoder from' }), name);
const fileInput = (within: HTMLElement) => {
  const input = [...within.querySelectorAll<HTMLInputElement>('input[type="file"]')].at(-1);
  if (input === undefined) {
    throw new Error('nothing asks for a file');
  }
  return input;
};

afterEach(() => {
  cleanup();
  for (const { id } of keptDecodersNow()) {
    removeKept(id);
  }
  changeDecoder(1, null);
  given.length = 0;
  call.mockClear();
  resetStores();
});

describe('the tool of decoders', () => {
  it('starts from a ready decoder, says what is wrong while it is written, and gives it to a port when asked', async () => {
    render(
      <>
        <DecodersPanel />
        <DecoderSelect port={1} label="Frames of Port 1" />
      </>,
    );
    expect(screen.getByText(/A decoder says how bytes become frames/)).toBeTruthy();
    await start('Modbus RTU');
    expect(content().value).toContain('"name": "modbus"');
    expect(terminalSettingsNow().ports[1].decoder).toBeNull();
    const [kept] = keptDecodersNow();
    const text = content().value;
    act(() => changeKept(kept?.id as OwnDecoderId, { text: text.replace('["modbus"]', '["teleport"]') }));
    expect(await screen.findByText(/^Step 1 cannot be teleport: this version knows at, /)).toBeTruthy();
    act(() => changeKept(kept?.id as OwnDecoderId, { text }));
    await userEvent.click(screen.getByRole('button', { name: 'Use on Port 1' }));
    expect(terminalSettingsNow()).toMatchObject({ layout: 'frames', ports: { 1: { decoder: kept?.id } } });
    const stop = chooseDecoder(1, kept?.id ?? null);
    expect(await screen.findByText('Port 1 shows frames of Modbus RTU')).toBeTruthy();
    const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Frames of Port 1' });
    await waitFor(() => expect(select.selectedOptions[0]?.text).toBe('Modbus RTU'));
    expect(within(select).getByRole('group', { name: 'In this browser' })).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(keptDecodersNow()).toEqual([]);
    await waitFor(() => expect(select.selectedOptions[0]?.text).toBe('Removed'));
    stop();
  });

  it('says that a port shows frames only after the worker has applied the decoder, and why it cannot', async () => {
    const answer = Promise.withResolvers<DecoderAnswer>();
    const uses = (id: OwnDecoderId) => {
      act(() => changeDecoder(1, id));
      return chooseDecoder(1, id);
    };
    render(<DecodersPanel />);
    await start('Modbus RTU');
    const [first] = keptDecodersNow();
    call.mockReturnValueOnce(answer.promise);
    const stop = uses(first?.id as OwnDecoderId);
    await waitFor(() => expect(call).toHaveBeenCalledWith('setDecoder', 1, expect.anything(), null));
    expect(screen.getByText('Port 1 does not show it yet')).toBeTruthy();
    await act(async () => answer.resolve({ kind: 'applied' }));
    expect(screen.getByText('Port 1 shows frames of Modbus RTU')).toBeTruthy();
    stop();
    await start('CAN frames of SLCAN adapters');
    const [, second] = keptDecodersNow();
    const missing = [{ use: 'dbc', name: 'motor.dbc', sha256 }] as const;
    call.mockResolvedValueOnce({ kind: 'missing', files: [...missing] } satisfies DecoderAnswer);
    const end = uses(second?.id as OwnDecoderId);
    expect(await screen.findByText('Port 1 shows lines until it has the file motor.dbc')).toBeTruthy();
    end();
    call.mockRejectedValueOnce(new Error('The log could not be read.'));
    const last = uses(second?.id as OwnDecoderId);
    expect(await screen.findByText('Port 1 cannot use it: The log could not be read.')).toBeTruthy();
    last();
  });

  it('leads to the tool that names bytes of the selected port', async () => {
    render(<DecodersPanel />);
    expect(screen.getByText(/select bytes of Port 1 and say what they are/)).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Registers and bytes' }));
    expect(openToolNow()).toBe('name-bytes');
    act(() => showTool(null));
  });

  it('opens a decoder from a file or from a JKit file, and refuses others by their fault', async () => {
    render(<DecodersPanel />);
    const open = (text: string, name: string) =>
      userEvent.upload(screen.getByLabelText('Decoder file'), new File([text], name, { type: 'application/json' }));
    const motor = JSON.stringify({ name: 'motor', title: 'Motor', framing: { kind: 'cobs' } });
    await open(motor, 'motor.json');
    await waitFor(() => expect(content().value).toBe(motor));
    await open(JSON.stringify({ data: { type: 'decoder', content: motor.replace('Motor', 'Pump') } }), 'pump.json');
    await waitFor(() => expect(keptDecodersNow().map(({ text }) => titleOf(text))).toEqual(['Motor', 'Pump']));
    await open('{"name":"motor","title":"M","framing":{"kind":"zip"}}', 'later.json');
    expect(
      await screen.findByText(/^later\.json is no decoder that can be used: .*cannot be zip: this version knows/),
    ).toBeTruthy();
    await open('{', 'broken.json');
    expect(await screen.findByText('broken.json is no decoder: it is no JSON.')).toBeTruthy();
    expect(keptDecodersNow()).toHaveLength(2);
  });

  it('takes a dropped decoder when asked, and says why it cannot take another', async () => {
    render(
      <>
        <DroppedFileStrips />
        <DecodersPanel />
        <Toaster />
      </>,
    );
    const drop = async (decoder: object) => {
      const text = JSON.stringify({ name: 'motor', title: 'Dropped', fields: [], ...decoder });
      await act(() => takeDroppedFile({ file: new File([text], 'dropped.json') }));
      expect(screen.getByText(/A decoder of frames: it can be opened\. No port gets it by that\./)).toBeTruthy();
      await userEvent.click(screen.getByRole('button', { name: 'Open the decoder' }));
      return text;
    };
    const text = await drop({ framing: { kind: 'cobs' } });
    await waitFor(() => expect(content().value).toBe(text));
    expect(terminalSettingsNow().ports[1].decoder).toBeNull();
    await drop({ framing: { kind: 'zip' } });
    expect(await screen.findByText(/^dropped\.json is no decoder that can be used: /)).toBeTruthy();
  });

  it('names a file by its hash, keeps it, and refuses another of that name', async () => {
    render(<DecodersPanel />);
    await start('CAN frames of SLCAN adapters');
    await userEvent.upload(fileInput(filesOf()), dbcFile());
    expect(await screen.findByText(/^1 message, 1 signal/)).toBeTruthy();
    expect(JSON.parse(content().value).files).toEqual([{ use: 'dbc', name: 'motor.dbc', sha256 }]);
    expect(await within(filesOf()).findByText(sha256.slice(0, 8))).toBeTruthy();
    await userEvent.upload(fileInput(filesOf()), dbcFile(`${dbc}\n`));
    expect(
      await screen.findByText(/^motor\.dbc is not the motor\.dbc that the decoder names: its SHA-256 begins with/),
    ).toBeTruthy();
    await userEvent.upload(fileInput(filesOf()), dbcFile('name,address\nspeed,0\n', 'pump.csv'));
    expect(
      await screen.findByText(
        'pump.csv is a table of registers, which this decoder does not read. Start from Modbus RTU.',
      ),
    ).toBeTruthy();
    await userEvent.upload(fileInput(filesOf()), dbcFile('hello', 'note.txt'));
    expect(await screen.findByText(/^note\.txt is no DBC file, no message definitions/)).toBeTruthy();
    expect(JSON.parse(content().value).files).toHaveLength(1);
    await userEvent.click(screen.getByRole('button', { name: 'Remove motor.dbc from the decoder' }));
    expect(JSON.parse(content().value).files).toEqual([]);
  });
});

describe('the table of registers', () => {
  const cell = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
  const registers = () => JSON.parse(content().value).registers;

  it('takes the registers of a file, edits them, and saves them as CSV', async () => {
    render(<DecodersPanel />);
    await start('Modbus RTU');
    expect(screen.queryByRole('region', { name: 'Table of registers' })).toBeNull();
    await userEvent.upload(fileInput(filesOf()), dbcFile('name,address,unit\nspeed,0,rpm\ncurrent,1,A\n', 'pump.csv'));
    await userEvent.click(await screen.findByRole('button', { name: 'Edit as a table' }));
    expect(await screen.findByText('2 registers of pump.csv are in the content now.')).toBeTruthy();
    expect(JSON.parse(content().value).files).toEqual([]);
    await userEvent.type(cell('Scale of current'), '0.1');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Type of current' }), 'i16');
    await userEvent.clear(cell('Unit of speed'));
    expect(registers()).toMatchObject([
      { name: 'speed', address: 0 },
      { name: 'current', address: 1, type: 'i16', scale: 0.1, unit: 'A' },
    ]);
    expect(registers()[0]).not.toHaveProperty('unit');
    await userEvent.clear(cell('Address of speed'));
    expect(await screen.findByText('Register 1, address must be a whole number from 0 to 65535')).toBeTruthy();
    await userEvent.type(cell('Address of speed'), '0x10');
    await userEvent.tab();
    expect(cell('Address of speed').value).toBe('16');
    await userEvent.click(screen.getByRole('button', { name: 'Add a register' }));
    expect(registers()[2]).toEqual({ name: 'register_3', address: 2 });
    await userEvent.click(screen.getByRole('button', { name: 'Remove register_3' }));
    const save = screen.getByRole('button', { name: 'Save as CSV' });
    const { bytes } = await savedBy(() => userEvent.click(save));
    expect(new TextDecoder().decode(bytes)).toBe(
      'name,address,type,scale,unit\r\nspeed,16,,,\r\ncurrent,1,i16,0.1,A\r\n',
    );
  });
});

describe('a port with a decoder of a person’s own', () => {
  const keep = (text: string) => {
    const kept = keepDecoder(text);
    if (!kept.ok) {
      throw new Error(kept.reason);
    }
    act(() => changeDecoder(1, kept.id));
    return kept.id;
  };
  const slcan = (more: object = {}) =>
    JSON.stringify({
      name: 'can',
      title: 'Motor bus',
      framing: { kind: 'step', longest: 144 },
      steps: ['slcan'],
      ...more,
    });

  it('asks for a file that is missing by its name, and takes no other', async () => {
    // Another name than that of an earlier test, whose file this browser has by its hash.
    const text = `${dbc}BO_ 257 Pump: 1 ECU\n SG_ On : 0|1@1+ (1,0) [0|0] "" Panel\n`;
    const hash = fileHash(new TextEncoder().encode(text));
    const id = keep(slcan({ files: [{ use: 'dbc', name: 'pump.dbc', sha256: hash }] }));
    const stop = chooseDecoder(1, id);
    render(<DecoderStrip port={1} />);
    expect(await screen.findByText('The decoder Motor bus of Port 1 needs the file pump.dbc.')).toBeTruthy();
    const strip = screen.getByRole('group', { name: 'What to do about port 1' });
    await userEvent.upload(fileInput(strip), dbcFile(dbc, 'pump.dbc'));
    expect(await within(strip).findByText(/^pump\.dbc is not the pump\.dbc that the decoder names/)).toBeTruthy();
    await userEvent.upload(fileInput(strip), dbcFile(text, 'download (1).dbc'));
    await waitFor(() => expect(screen.queryByRole('group', { name: 'What to do about port 1' })).toBeNull());
    expect(given.at(-1)).toMatchObject({ id, files: new Map([[hash, expect.any(Blob)]]) });
    stop();
  });

  it('gets what is written once it is right, and says why a decoder cannot be used', async () => {
    const id = keep(slcan());
    const stop = chooseDecoder(1, id);
    render(<DecoderStrip port={1} />);
    await waitFor(() => expect(given).toHaveLength(1));
    changeKept(id, { text: '{' });
    changeKept(id, { text: slcan({ title: 'Bus' }) });
    await waitFor(() => expect(given).toHaveLength(2));
    expect(given.at(-1)).toMatchObject({ content: slcan({ title: 'Bus' }) });
    stop();
    const other = keep(slcan({ teleport: 1 }));
    const end = chooseDecoder(1, other);
    expect(await screen.findByText('The decoder Motor bus of Port 1 cannot be used.')).toBeTruthy();
    expect(screen.getByText('The decoder has an unknown entry: teleport.')).toBeTruthy();
    act(() => void removeKept(other));
    expect(await screen.findByText('The decoder of Port 1 was removed from this browser.')).toBeTruthy();
    expect(given.at(-1)).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Show lines' }));
    expect(readHook(() => useTerminalSettings(({ ports }) => ports[1].decoder))).toBeNull();
    end();
  });
});
