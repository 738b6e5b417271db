/**
 * Finds an S3 store for the server's tests, in this order: the S3_TEST_* variables, an installed Ceph gateway, the
 * gateway from the system's package manager.
 */
import { isGatewayInstalled } from '../../apps/server/src/testing/s3-gateway.ts';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

export const s3: Tool = {
  group: 'unit',
  packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
  isHere: () => Boolean(process.env.S3_TEST_ENDPOINT) || isGatewayInstalled(),
};

/** Finds or installs an S3 store; counts a missing one as skipped. */
export const provideS3 = (): Promise<Counts> =>
  provide(s3, 'No S3 gateway could be found or installed: install radosgw, or set S3_TEST_*. Its suites are skipped.');
