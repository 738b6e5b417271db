/** Tests the rights of a guest that opens the link on a second page or comes back. */
import { VirtualClock } from '@wirebench/clock';
import { expect, it } from 'vitest';
import { RemoteRig } from './testing/remote-rig.ts';

const lea = 'a browser';
const eve = 'another browser';

function shared() {
  const clock = new VirtualClock(1_000_000);
  const rig = new RemoteRig({ clock, delay: () => 20 });
  rig.share();
  return { clock, rig };
}

const rightOf = ({ guest }: Awaited<ReturnType<RemoteRig['joined']>>) => guest.status.ports[0]?.right;

it('has its rights on a second page of the same browser, and after it has left', async () => {
  const { clock, rig } = shared();
  const first = await rig.joined('Lea', lea);
  rig.host.setRight(rig.idOf('Lea'), 1, 'use');
  await clock.advance(100);
  const second = await rig.joined('Lea', lea);
  expect(rightOf(second)).toBe('use');
  first.guest.leave();
  second.guest.leave();
  await clock.advance(100);
  expect(rightOf(await rig.joined('Lea', lea))).toBe('use');
});

it('has none of a guest with the same name or the same browser alone', async () => {
  const { clock, rig } = shared();
  await rig.joined('Lea', lea);
  rig.host.setRight(rig.idOf('Lea'), 1, 'use');
  await clock.advance(100);
  expect(rightOf(await rig.joined('Lea', eve))).toBe('watch');
  expect(rightOf(await rig.joined('Lea'))).toBe('watch');
  expect(rightOf(await rig.joined('Max', lea))).toBe('watch');
});

it('has the rights of now, and none once it was expelled', async () => {
  const { clock, rig } = shared();
  await rig.joined('Lea', lea);
  rig.host.setRight(rig.idOf('Lea'), 1, 'use');
  rig.host.setRight(rig.idOf('Lea'), 1, 'type');
  await clock.advance(100);
  const second = await rig.joined('Lea', lea);
  expect(rightOf(second)).toBe('type');
  for (const { id } of rig.host.status.guests) {
    rig.host.expel(id);
  }
  await clock.advance(100);
  expect(rightOf(await rig.joined('Lea', lea))).toBe('watch');
});

it('has a right that was given before its browser has said who it is', async () => {
  const { clock, rig } = shared();
  rig.join('Lea', rig.secret, clock, lea);
  await rig.until('here', () => rig.host.status.guests.length === 1);
  rig.host.setRight(rig.idOf('Lea'), 1, 'use');
  expect(rig.host.status.guests[0]?.person).toBeNull();
  await clock.advance(200);
  expect(rightOf(await rig.joined('Lea', lea))).toBe('use');
});
