/**
 * Finds an S3 store for the server's tests: the one that the S3_TEST_* variables name, Ceph's gateway where it is installed, the
 * same from the system's package manager; in this order.
 */
import { isGatewayInstalled } from '../../apps/server/src/testing/s3-gateway.ts';
import { provide, type Tool } from './packages.ts';
import type { Counts } from './step.ts';

export const s3: Tool = {
  group: 'unit',
  packages: ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
  isHere: () => Boolean(process.env.S3_TEST_ENDPOINT) || isGatewayInstalled(),
};

/** What cannot be had is counted as skipped. */
export const provideS3 = (): Promise<Counts> =>
  provide(s3, 'No S3 gateway could be found or installed: install radosgw, or set S3_TEST_*. Its suites are skipped.');
