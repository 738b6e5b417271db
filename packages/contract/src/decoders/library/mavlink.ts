/**
 * MAVLink 1 and 2 (mavlink.io, "Packet Serialization", "Message Signing"). The messages are those of the common set; a
 * decoder of one's own names other XML files. The first file is the one that includes the others.
 */
import type { DecoderDraft } from '../decoder-content.ts';

export const mavlink: DecoderDraft = {
  name: 'mavlink',
  title: 'MAVLink',
  source: 'mavlink.io, Packet Serialization, Message Signing; common.xml of github.com/mavlink/mavlink',
  // The longest frame has 10 bytes of header, 255 of payload, 2 of checksum, 13 of signature.
  framing: { kind: 'step', longest: 280, ms: 500 },
  order: 'little',
  steps: ['mavlink'],
  files: [
    { use: 'mavlink', name: 'common.xml', sha256: '0616e56cd8ffbc585e673adf7e522a41711f394e27483533048b9d09c2bf5bfb' },
    {
      use: 'mavlink',
      name: 'standard.xml',
      sha256: '5d20fdeb994d695069bf3ec5bad3d547c5494e344a7890c4e5e7cfe752e325b9',
    },
    { use: 'mavlink', name: 'minimal.xml', sha256: 'b779a73a558059c71d1943a81486c00eb4a63d813c5fbd87bd523f203bfa08d2' },
  ],
};
