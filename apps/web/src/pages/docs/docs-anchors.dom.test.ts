import { guidanceTopics } from '@wirebench/contract/constants';
import { describe, expect, it } from 'vitest';
import { type DocsDocument, pagesOf, sectionsOf } from './docs-model.ts';
import { esp32Document } from './esp32/esp32-document.ts';
import { flasherDocument } from './flasher/flasher-document.ts';
import { programsDocument } from './programs/programs-document.ts';
import { releasesDocument } from './releases/releases-document.ts';
import { terminalDocument } from './terminal/terminal-document.ts';

const anchors = (document: DocsDocument) => sectionsOf(document).map(({ id }) => id);

/** The anchors of the sidebars, in their order: other sites link to them (docs/behaviour.md, "Pages and addresses"). */
const specified = {
  terminal:
    'overview requirements quick-start multi-port message-handling pinned-devices jkits-cloud display-modes flow-control connecting sending-data managing-devices using-jkits advanced-features keyboard-shortcuts settings troubleshooting',
  releases:
    'overview authentication quick-start project-management version-control sharing-distribution firmware-upload creating-project uploading-firmware managing-versions sharing-releases project-limits file-formats troubleshooting best-practices',
  flasher:
    'overview requirements quick-start device-detection firmware-flashing uart-monitoring cloud-integration release-management connecting-device flashing-firmware monitoring-output using-releases',
  esp32:
    'overview requirements quick-start connecting boards-without-reset-lines bme280-example leaving pins i2c analog pwm counter spi uart-bridge registers bus-log chip-jkits writing-chips ram-program capture safety limits keyboard-shortcuts troubleshooting',
  programs:
    'install check two-minutes ports monitor send flash read-and-erase backup board-contents crashes modbus shell-troubles commands pipeline-check pipeline-json exit-codes board-tests pipeline-steps agents agent-rights agent-fence other-programs',
};

describe('anchors of the documentation', () => {
  it.each([
    ['terminal', terminalDocument],
    ['releases', releasesDocument],
    ['flasher', flasherDocument],
    ['esp32', esp32Document],
    ['programs', programsDocument],
  ] as const)('are unique and in the documented order for the %s', (name, document) => {
    const expected = specified[name].split(' ');
    expect(anchors(document).slice(0, expected.length)).toEqual(expected);
    expect(new Set(anchors(document)).size).toBe(anchors(document).length);
  });

  /** Anchors that the specification of the product names: of the other two guides and the later sections it names none. */
  it.each([
    ['terminal', terminalDocument],
    ['releases', releasesDocument],
    ['flasher', flasherDocument],
  ] as const)('stay on the first page of the guide if they are specified, for the %s', (name, document) => {
    const first = pagesOf(document)[0].sections.map(({ id }) => id);
    expect(first.slice(0, specified[name].split(' ').length)).toEqual(specified[name].split(' '));
  });

  it('lead to one page each, and no page has more than 2,700 words', () => {
    for (const document of [terminalDocument, releasesDocument, flasherDocument, esp32Document, programsDocument]) {
      for (const { title, sections } of pagesOf(document)) {
        const words = JSON.stringify(sections.map(({ body }) => body)).split(/\s+/).length;
        expect(words, `${document.title}: ${title}`).toBeLessThan(2_700);
      }
    }
  });

  it('are followed by more: links, devices, flash settings, layouts, error codes', () => {
    expect(anchors(releasesDocument)).toEqual(
      expect.arrayContaining(['release-link-types', 'supported-devices', 'flash-settings', 'error-codes']),
    );
    expect(anchors(flasherDocument)).toEqual(
      expect.arrayContaining(['supported-devices', 'flash-settings', 'flash-layouts', 'error-codes']),
    );
  });

  it('include fifteen guidance topics, each with its text', () => {
    expect(Object.keys(guidanceTopics)).toHaveLength(15);
    expect(anchors(flasherDocument)).toEqual(expect.arrayContaining(Object.keys(guidanceTopics)));
  });
});
