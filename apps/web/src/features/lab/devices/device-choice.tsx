/**
 * The JKits that list an address, with their certainty. Asks the user before an identification that may have side
 * effects.
 */
import { useState } from 'react';
import { hexNumber } from '../../../shared/format/hex.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import panel from '../panel.module.css';
import { tell, useRun } from '../store/run.ts';
import { certaintyText } from './certainty.ts';
import { CertaintyMark } from './certainty-mark.tsx';
import { checkDevice, openDevice } from './device-actions.ts';
import styles from './device-panel.module.css';
import { type Offer, type OpenDevice, useDevices } from './device-store.ts';
import { identifyAsked } from './identify.ts';
import type { ChipOrigin } from './known-chip.ts';

const origins = {
  shipped: '',
  own: 'yours',
  editor: 'from the chip editor',
  shared: 'shared',
} satisfies Record<ChipOrigin, string>;

/** Number of JKits shown at first. A button shows the others. */
const few = 12;

/**
 * Parts that answer at a second address. A device found at such an address may be a part that was found at another
 * one.
 */

interface FurtherAddress {
  /** Name of the part in its JKit. */
  readonly part: string;
  readonly address: number;
  /** Name of the second address. */
  readonly name: string;
}

/** After a reset the PCA9685 answers at 0x70 (NXP PCA9685, revision 4, 7.3.6 ALLCALLADR: E0h, and MODE1 bit ALLCALL: 1). */
const furtherAddresses: readonly FurtherAddress[] = [{ part: 'PCA9685', address: 0x70, name: 'all-call address' }];

interface SharedAddress extends FurtherAddress {
  /** Other addresses on the bus at which the part was found. */
  readonly owners: readonly number[];
}

/**
 * Finds a part elsewhere on the bus that may answer at `address` as well.
 *
 * @param offers JKits that fit, by address.
 * @returns Null if no such part can be on the bus.
 */
export function sharedAddressAt(address: number, offers: ReadonlyMap<number, readonly Offer[]>): SharedAddress | null {
  for (const further of furtherAddresses) {
    const owners = [...offers].flatMap(([owner, fitting]) =>
      owner !== address && fitting.some(({ chip }) => chip.content.name === further.part) ? [owner] : [],
    );
    if (further.address === address && owners.length > 0) {
      return { ...further, owners };
    }
  }
  return null;
}

export function DeviceChoice({ address }: { readonly address: number }) {
  const identity = useDevices(({ identities }) => identities.get(address));
  const identities = useDevices((state) => state.identities);
  const shared = sharedAddressAt(address, new Map([...identities].map(([one, { offers }]) => [one, offers])));
  const isIdentifying = useDevices((state) => state.isIdentifying);
  const sourceFailure = useDevices((state) => state.sourceFailure);
  const [all, setAll] = useState(false);
  const offers = identity?.offers ?? [];
  const shown = all ? offers : offers.slice(0, few);
  return (
    <>
      {shared === null ? null : (
        <div className={styles['notice']}>
          <Notice
            level="info"
            title={`This may be the ${shared.part} at ${shared.owners.map((owner) => hexNumber(owner)).join(' or ')}.`}
          >
            It also answers at {hexNumber(address)}, its {shared.name}, until that is switched off.
          </Notice>
        </div>
      )}
      {identity?.isUnasked ? <Unasked address={address} /> : null}
      {identity?.hasKept == null ? null : (
        <div className={styles['notice']}>
          <Notice level="info" title="It has no registers.">
            {hexNumber(address)} keeps every byte that is written to it, as a switch or a port does. {identity.hasKept},
            which was there before, was written back.
          </Notice>
        </div>
      )}
      {sourceFailure === null ? null : (
        <p className={panel['note']}>JKits from the server are missing: {sourceFailure}</p>
      )}
      {identity !== undefined && offers.length === 0 ? (
        <p className={panel['note']}>
          No JKit lists {hexNumber(address)}, or those that do expect something else in its registers. You can describe
          the chip on the page of the ESP32 bench, or read its registers here.
        </p>
      ) : null}
      {identity === undefined ? (
        <p className={panel['note']}>{isIdentifying ? 'Looking for JKits…' : 'Scan the bus to find its JKits.'}</p>
      ) : null}
      <ul className={styles['offers']} aria-label={`JKits for ${hexNumber(address)}`}>
        {shown.map((offer) => (
          <li key={offer.chip.id}>
            <OfferRow address={address} offer={offer} />
          </li>
        ))}
      </ul>
      {shown.length === offers.length ? null : (
        <Button size="sm" variant="quiet" onClick={() => setAll(true)}>
          Show all {offers.length} JKits
        </Button>
      )}
    </>
  );
}

function OfferRow({ address, offer }: { readonly address: number; readonly offer: Offer }) {
  const { chip } = offer;
  return (
    <div className={styles['offer']}>
      <span>
        <b>{chip.content.name}</b> <span className="small">{chip.name}</span>
      </span>
      <span className={styles['certainty']}>
        <CertaintyMark certainty={offer.certainty} />
        {certaintyText(offer)}
        {origins[chip.origin] === '' ? '' : `, ${origins[chip.origin]}`}
      </span>
      <Button
        size="sm"
        aria-label={`Open the JKit ${chip.name}`}
        onClick={() => void tell(() => openDevice(address, chip))}
      >
        Open
      </Button>
    </div>
  );
}

function Unasked({ address }: { readonly address: number }) {
  const [asking, setAsking] = useState(false);
  const { busy, run } = useRun();
  return (
    <div className={styles['notice']}>
      <Notice
        level="warning"
        title={`${hexNumber(address)} was not asked what it is.`}
        action={
          <Button size="sm" busy={busy} onClick={() => setAsking(true)}>
            Identify…
          </Button>
        }
      >
        A device without registers may stand here, such as a TCA9548A, and would act on the number of a register.
      </Notice>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Identify ${hexNumber(address)}?`}
        text="The numbers of registers will be written to it, and the registers read. A switch such as a TCA9548A takes them for the buses to connect, a port expander for its pins. If the device keeps what is written, the byte that it held before is written back at once."
        action="Identify"
        onConfirm={() => {
          setAsking(false);
          void run(() => identifyAsked(address));
        }}
      />
    </div>
  );
}

/** Button that checks the identity for the open JKit, and its result. */
export function CheckIdentity({ address, isFitting }: { readonly address: number } & Pick<OpenDevice, 'isFitting'>) {
  const { busy, run } = useRun();
  return (
    <>
      <Button size="sm" variant="quiet" busy={busy} onClick={() => void run(() => checkDevice(address))}>
        Check identity
      </Button>
      <span role="status" className="small">
        {isFitting === undefined
          ? ''
          : isFitting === null
            ? 'There is nothing to check.'
            : isFitting
              ? 'Its registers fit.'
              : 'Its registers do not fit.'}
      </span>
    </>
  );
}
