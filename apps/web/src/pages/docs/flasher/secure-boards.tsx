/** Flasher documentation: eFuses, secure boot and flash encryption of Espressif boards. */
import type { DocsSection } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';

export const secureBoards: DocsSection = {
  id: 'secure-boards',
  title: 'eFuses and secure boot',
  body: (
    <>
      <p>
        eFuses are bits of an ESP32 chip that can be burnt once and never cleared. They hold its MAC address, its
        revision and calibration, and they decide who may read and write it. “eFuses and security”, the last entry of
        “On the board”, reads them and says what they mean. Wirebench never burns an eFuse; no part of it can.
      </p>
      <p>
        All fields are listed below, with the names and values of <code>espefuse summary</code>. “Copy as text” copies
        them for a bug report or a test log. A key that is hidden from reading is shown as hidden. An ESP8266 has 128
        such bits: its MAC address, and the kind of its flash; their names are descriptive, because Espressif publishes
        none. It has no secure boot and no flash encryption. A board in Secure Download Mode lets nothing be read, so
        only what it reports itself is shown.
      </p>
      <Subheading id="will-it-start" title="Will this image start here?" />
      <p>
        With files chosen, the page answers this before anything is erased, with one line for each reason: chip,
        revision, signature, encryption and security version. On a board with Secure Boot V2 the signature of each
        program is verified, and its key is compared with the keys that the board accepts.
      </p>
      <DocsTable
        label="Answers"
        head={['Answer', 'What it means']}
        rows={[
          ['Yes', 'Nothing that the board checks speaks against it.'],
          ['No', 'The line says what is wrong, and the sentence above says what to do.'],
          [
            'It cannot be told',
            'The board hides what decides, for example the key of Secure Boot V1. You can go on by typing the code.',
          ],
        ]}
      />
      <Subheading id="secure-boot-v1" title="Secure Boot V1" />
      <p>
        On an ESP32 with Secure Boot V1 two things decide. The chip starts only a bootloader whose digest was made with
        a secret key in eFuse BLOCK2, which nobody can read: whether a bootloader fits cannot be told. That bootloader
        then starts only apps whose ECDSA signature fits the public key inside it. So the page refuses a bootloader
        without a digest and an app without a signature, and asks you to confirm all others. To stay safe, leave the
        bootloader as it is and write only apps that are signed with the key that the bootloader was built with:{' '}
        <code>espsecure sign-data --version 1 --keyfile key.pem app.bin</code>.
      </p>
      <Subheading id="secure-example" title="Example: a board that starts signed firmware only" />
      <p>
        Connect “Demo secured ESP32-C3” from the other ways to connect a board, and open “eFuses and security”. Choose
        firmware for an ESP32-C3 that is not signed: the answer is no, with the first digits of the key to sign with.
        The demo firmware of the page is signed with that key. Sign your own with{' '}
        <code>espsecure sign-data --version 2 --keyfile key.pem app.bin</code>.
      </p>
      <Subheading id="encrypt-on-the-board" title="Encrypt on the board" />
      <p>
        If flash encryption is in development mode, plain firmware would not start, but the chip can encrypt it while it
        is written: switch on “Encrypt on the board” in the flash settings. Bootloader, partition table, apps, OTA data
        and partitions with the flag <code>encrypted</code> are encrypted; other data stays plain. What was encrypted
        cannot be compared with the file. The page then says “written, not verified”: each block arrived with its
        checksum, and no more is known. In release mode only firmware that was encrypted for this board can be written.
      </p>
    </>
  ),
};
