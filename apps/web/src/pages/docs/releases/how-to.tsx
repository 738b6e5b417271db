/** Release manager documentation: how things are done. */
import { buildLimits } from '@wirebench/contract/builds';
import { crashLimits, deviceModelNames, deviceModels, releaseLimits } from '@wirebench/contract/constants';
import { memoryText } from '../../../shared/format/bytes.ts';
import type { DocsGroup } from '../docs-model.ts';
import { CodeBlock, DocsTable, Subheading } from '../docs-parts.tsx';
import { DocsPicture } from '../docs-picture.tsx';

const namesOf = (family: keyof typeof deviceModels) =>
  deviceModels[family].map((model) => deviceModelNames[model]).join(', ');

const command = `export WIREBENCH_TOKEN=wirebench_…
curl -fsSO https://wirebench.example/publish-release.mjs
node publish-release.mjs \\
  --server https://wirebench.example \\
  --project weather-node --version 1.4.0 \\
  --description "Fixes the I2C timeout after deep sleep." \\
  --build build`;

const environments = `.pio/build/esp32-s3/*.bin
.pio/build/esp32/*.bin
.pio/build/esp32-c3/*.bin`;

const workflow = `# .github/workflows/release.yml: builds two chips for each tag. A tag with a hyphen, such as 1.5.0-rc1, is a beta.
on:
  push:
    tags: ['*']
jobs:
  publish:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: espressif/esp-idf-ci-action@v1
        with:
          esp_idf_version: v5.5
          command: |
            idf.py -B build/esp32 -D SDKCONFIG=build/esp32/sdkconfig -D IDF_TARGET=esp32 build &&
            idf.py -B build/esp32s3 -D SDKCONFIG=build/esp32s3/sdkconfig -D IDF_TARGET=esp32s3 build
      - name: Publish the firmware
        env:
          WIREBENCH_TOKEN: \${{ secrets.WIREBENCH_TOKEN }}
        run: |
          case "$GITHUB_REF_NAME" in *-*) channel=beta ;; *) channel=stable ;; esac
          curl -fsSO https://wirebench.example/publish-release.mjs
          node publish-release.mjs \\
            --server https://wirebench.example \\
            --project weather-node --version "$GITHUB_REF_NAME" \\
            --channel "$channel" --replace-oldest \\
            --build esp32=build/esp32 \\
            --build esp32s3=build/esp32s3 --guard flash=8MB`;

const publish = `curl --fail-with-body \\
  -H "Authorization: Bearer $WIREBENCH_TOKEN" \\
  -F projectId=… \\
  -F version=1.4.0 \\
  -F description="Fixes the I2C timeout after deep sleep." \\
  -F 'offsets=["0x1000", "0x8000", "0x10000"]' \\
  -F files=@bootloader.bin -F files=@partition-table.bin -F files=@app.bin \\
  https://wirebench.example/api/firmware/version`;

/** The field `builds` of a form with three files. */
export const buildsSample = `[
  {
    "deviceModel": "esp32",
    "files": [{ "index": 0, "offset": "0x0" }]
  },
  {
    "deviceModel": "esp32s3",
    "guards": { "flashSize": 8388608, "psram": true },
    "files": [{ "index": 1, "offset": "0x0" }]
  },
  {
    "deviceModel": "nrf52840",
    "files": [{ "index": 2 }]
  }
]`;

export const publishBuilds = `curl --fail-with-body \\
  -H "Authorization: Bearer $WIREBENCH_TOKEN" \\
  -F projectId=… \\
  -F version=1.4.0 \\
  -F description="One link for all three boards." \\
  -F 'builds=<builds.json' \\
  -F files=@esp32.bin -F files=@esp32s3.bin -F files=@zephyr.hex \\
  https://wirebench.example/api/firmware/version`;

export const howTo: DocsGroup = {
  name: 'How to',
  sections: [
    {
      id: 'creating-project',
      title: 'Creating a project',
      body: (
        <p>
          Enter a name, and choose the chip family and the model: {namesOf('esp')} for Espressif, {namesOf('stm')} for
          STM32. Every other chip that the flashers know is under More chips, and Nordic and Arduino are families of
          their own, Arduino with boards and with chips. The flasher refuses boards with another chip, so choose the
          right model. A version can have builds for further chips beside it.
        </p>
      ),
    },
    {
      id: 'uploading-firmware',
      title: 'Uploading firmware',
      body: (
        <>
          <p>
            Drop the folder of your build on the form. If the folder has a list of files (<code>flasher_args.json</code>{' '}
            of ESP-IDF, an ESP Web Tools manifest), the form follows it. Otherwise it recognises bootloader, partition
            table and application by their contents and names, as PlatformIO and Arduino create them. You can correct
            the offsets.
          </p>
          <p>
            For an Arduino board drop the folder that arduino-cli or PlatformIO wrote, or choose the{' '}
            <code>.ino.hex</code>. The file “with_bootloader” beside it is left out, because no bootloader can write it.
            An <code>.eep</code> file with data goes along.
          </p>
          <p>
            The files are checked as the flasher will check them: offsets, overlaps, sizes, the chip they were built
            for, and damage. Firmware that no board could be flashed with is refused before the upload.
          </p>
          <DocsPicture
            name="releases-new-version"
            alt="The form of a new version: number, description, and three files whose addresses were filled in."
          >
            Three files of a build, each at the address that its contents call for.
          </DocsPicture>
          <Subheading id="builds-for-several-boards" title="Builds for several boards" />
          <p>
            A version can hold several builds, each for one chip, so that one link serves every board. Drop a folder
            with several builds on the form, one folder after another, or a zip: the form recognises the chip of each
            from its list, its images or its UF2 family, and proposes a build with its files and offsets. For example, a
            PlatformIO project with three environments:
          </p>
          <CodeBlock name="thermostat" text={environments} />
          <p>
            The form shows three builds: ESP32-S3, which is the project’s own chip, ESP32 and ESP32-C3. Where two builds
            are for the same chip, it tells them apart by the size of flash or the chip revision that they need. Fold
            open the line below the files to limit a build yourself: to boards with enough flash, with PSRAM, from a
            revision on, or to one connection. The most specific build that fits a board is flashed, and a board that
            none fits is refused in a sentence that names the missing property.
          </p>
          <p>
            A build has up to {buildLimits.files} files of {memoryText(releaseLimits.fileSize)} each: .bin with an
            offset, or Intel HEX, S-record, UF2, ELF, DFU and zip, which have their own addresses. A file that several
            builds have is uploaded and stored once. A version has up to {buildLimits.builds} builds, unless the
            operator of the server has set a different number. Flashes and crashes are counted for each build.
          </p>
          <Subheading id="from-a-build-server" title="From a build server" />
          <p>
            Create a publishing token for the project. With it,{' '}
            <a href="/publish-release.mjs" download className="link">
              publish-release.mjs
            </a>{' '}
            uploads a version, makes it public if its project is, and prints the link that flashes it. It needs Node 20
            or newer and nothing else. The dialog Tokens shows the command with the address of this server, and a step
            for GitHub Actions. <code>--build</code> takes the folder of an ESP-IDF build and reads files and offsets
            from its <code>flasher_args.json</code>; <code>--file 0x10000=app.bin</code> names a file yourself.{' '}
            <code>--private</code> keeps the version private. <code>--replace-oldest</code> deletes the oldest version,
            with its link, when the project has as many as it may; the token has to be created with that right. The
            offsets in these examples are those of an ESP32.
          </p>
          <CodeBlock name="publish.sh" text={command} />
          <p>
            For several chips, <code>--build esp32s3=build/esp32s3</code> names the chip of each folder, and{' '}
            <code>--build nrf52840=zephyr.hex</code> or <code>--build esp32=0x0=merged.bin</code> one file. One of the
            builds has to be for the project’s chip. <code>--guard</code> behind a build narrows its boards:{' '}
            <code>flash=8MB</code>, <code>psram=yes</code>, <code>revision=3.1</code>, <code>connection=usb</code>.
          </p>
          <CodeBlock name="release.yml" text={workflow} />
          <p>
            Without Node, upload with one call to the API. Give the offsets in the order of the files, each with its 0x
            prefix. The version stays private until you make it public.
          </p>
          <CodeBlock name="upload.sh" text={publish} />
          <Subheading id="builds-over-the-api" title="Builds over the API" />
          <p>
            A version with several builds has the field <code>builds</code> in place of <code>offsets</code>. It is a
            JSON list with one object for each build, and comes before the files. The second build of this example is
            only for boards with 8 MB of flash or more and PSRAM. A HEX file has its own addresses, so it needs no
            offset.
          </p>
          <CodeBlock name="builds.json" text={buildsSample} />
          <CodeBlock name="upload-builds.sh" text={publishBuilds} />
          <DocsTable
            label="Fields of a build"
            mono
            head={['Field', 'Value']}
            rows={[
              [
                'deviceModel',
                'the chip, such as esp32s3, or a series of STM32 or Nordic chips, such as nrf52; required',
              ],
              ['deviceFamily', 'esp, stm or nrf; left out, it follows from the model'],
              ['guards', 'conditions that a board has to meet beside its chip; left out, the build is for every board'],
              [
                'files',
                'a list with index and offset for each file: index is its place in the form, counted from 0; offset is text such as 0x10000. Builds that share a file name the same index',
              ],
            ]}
          />
          <DocsTable
            label="Guards of a build"
            mono
            head={['Guard', 'Value']}
            rows={[
              ['flashSize', 'least flash in bytes'],
              ['psram', 'true: only boards with PSRAM; false: only boards without'],
              ['minRevision', 'least revision of the chip as major × 100 + minor: 301 for v3.1'],
              ['connection', 'usb: the chip’s own USB port; uart: a USB adapter at its serial pins'],
            ]}
          />
          <p>
            One of the builds has to be for the model of the project. The answer and every later one list the builds of
            the version with their <code>_id</code>, by which flashes and crashes are counted.
          </p>
          <Subheading id="from-a-manifest" title="From a manifest" />
          <p>
            A project can take a version from a manifest on the web, such as one of ESP Web Tools or a release of
            another server. The version is private until you make it public, and the SHA-256 of each file is kept: the
            same version is never taken again with other contents, and the answer names the file that changed.
          </p>
        </>
      ),
    },
    {
      id: 'managing-versions',
      title: 'Managing versions',
      body: (
        <>
          <p>
            You can edit the notes in place. A version can carry terminal settings (baud rate, line ending, and a JKit
            with messages and rules) for the monitor that opens after a flash. You see how often a version was flashed,
            and what failed on which chip. The project’s history lists every change. Compare shows which files differ
            between two versions, matched by offset.
          </p>
          <Subheading id="channels" title="Stable and beta" />
          <p>
            A version is stable, or beta: tick Beta in the form, choose Move to beta in the version’s menu, or publish
            it with <code>--channel beta</code>. The link, the badge and the manifest of the project lead to its newest
            stable version. With <code>&amp;channel=beta</code> at the end of the link, or <code>?channel=beta</code>{' '}
            behind the address of badge or manifest, they lead to the newest version of both channels. A version’s own
            link always leads to that version. A project that has only beta versions shows none behind its plain link.
          </p>
          <Subheading id="elf-file-of-a-version" title="The ELF file of a version" />
          <p>
            A version can carry the ELF file of its program. Only you can read it: no link, no list and no page of
            others has it. Choose it in the form of a new version, or later in the version’s menu, under ELF file. On
            the command line, <code>--elf build/app.elf</code> names it, and <code>--with-elf</code> takes the one that
            the build of <code>--build</code> names. It is never uploaded unasked, and it is deleted with the version.
          </p>
          <p>
            When you are signed in and open a core dump of such a build in the terminal, or a log in which it crashes,
            its ELF file is found by the hash that the board names, and used by itself. The file of another build is
            never used.
          </p>
          <Subheading id="crashes-of-a-version" title="Crashes that people send" />
          <p>
            Whoever opens a core dump in the terminal can send the crash to you: to a release that their browser has
            flashed, or to the one behind a link. They see what is sent before it is: the cause, the stacks of the
            tasks, the chip, and the hash that names the program. The core dump itself, which is memory of their board,
            goes along only if they tick that. Who they are is not stored.
          </p>
          <p>
            In the version’s menu, Crashes lists the different crashes with how often they came, when first and last,
            and on which chips. Open one for the stacks of the newest example. Without an ELF file a sender knows
            addresses only: Show functions and lines looks them up in yours, in your browser. Crashes are the same when
            their cause and the first functions of your program are; those of senders with and without an ELF file are
            counted apart. A version keeps {crashLimits.groups} different crashes, and forgets what was not seen again
            for {crashLimits.days} days.
          </p>
        </>
      ),
    },
    {
      id: 'sharing-releases',
      title: 'Sharing releases',
      body: (
        <>
          <p>
            Releases show your public name, which you choose in the menu of your account. Until you do, it is your user
            name, or a neutral one where that is an e-mail address.
          </p>
          <p>
            Share copies the link of a public project or version. Under For publishers, the release page has the link
            with a QR code, a badge, and the code of a flash button for your own page. For Espressif chips it also has
            the button of ESP Web Tools and the address of the manifest.
          </p>
          <DocsPicture
            name="release-page"
            alt="A release page: name, publisher, chip, date, what is new, what gets written, and the button Flash this version."
          >
            What people see when they open the link.
          </DocsPicture>
          <Subheading id="ending-and-renewing-links" title="Expiry and renewal of links" />
          <p>
            In the link settings you can set an expiry: after that, the link tells visitors that it has expired, until
            you change the expiry or remove it. Renew a link that has got into the wrong hands: it gets a new address,
            and the old one stops working at once, in badges and on other pages too. The link of a project and those of
            its versions expire independently.
          </p>
          <Subheading id="taken-down-releases" title="Releases that were taken down" />
          <p>
            Anyone can report a public release to whoever runs the server. If it is taken down, its link says so, and
            you see the reason here. Only whoever runs the server can restore it; you can still delete it.
          </p>
        </>
      ),
    },
    {
      id: 'project-limits',
      title: 'Project limits',
      body: (
        <p>
          At most {releaseLimits.files} files of {memoryText(releaseLimits.fileSize)} per version; names of up to{' '}
          {releaseLimits.nameMaxLength} characters, version numbers of {releaseLimits.versionMaxLength}, notes of up to{' '}
          {releaseLimits.descriptionMaxLength}. The release manager shows how many projects and versions you can keep.
        </p>
      ),
    },
    {
      id: 'file-formats',
      title: 'File formats',
      body: (
        <p>
          Firmware files are plain binaries (<code>.bin</code>), each with the flash address where it starts. A merged
          image is one file at address 0x0. Convert Intel HEX and ELF files with your build tools first.
        </p>
      ),
    },
  ],
};
