/**
 * Paths of the calls about the caller's account, reports and moderation. IDs need no encoding, as in
 * `firmware-paths.ts`.
 */
import type { ReportedType } from './moderation-rules.ts';

export const accountPaths = {
  account: '/api/account',
  publicName: '/api/account/public-name',
} as const;

export const reportsPath = '/api/reports';

/** Open to the administrators' role only. */
export const moderationPaths = {
  reports: '/api/admin/reports',
  items: '/api/admin/items',
  dismissReports: (type: ReportedType, id: string) => `/api/admin/items/${type}/${id}/dismiss-reports`,
  takeDown: (type: ReportedType, id: string) => `/api/admin/items/${type}/${id}/take-down`,
  restore: (type: ReportedType, id: string) => `/api/admin/items/${type}/${id}/restore`,
  accounts: '/api/admin/accounts',
  block: (id: string) => `/api/admin/accounts/${id}/block`,
  unblock: (id: string) => `/api/admin/accounts/${id}/unblock`,
  revokeTokens: (id: string) => `/api/admin/accounts/${id}/revoke-tokens`,
  deleteFeedback: (id: string) => `/api/admin/feedback/${id}/delete`,
  audit: '/api/admin/audit',
  counts: '/api/admin/counts',
  state: '/api/admin/state',
} as const;
