/** Texts of the dashboard (docs/behaviour.md, "Feedback"). */
import { SessionError } from '../../shared/session/session-errors.ts';

export const adminText = {
  loading: 'Loading...',
  checking: 'Checking authentication...',
  required: 'Admin Access Required',
  logIn: 'Please log in to access the admin dashboard.',
  loadingList: 'Loading feedbacks...',
  empty: 'No feedbacks found.',
  denied: "Access denied. You don't have permission to view feedback.",
  listFailed: 'Failed to fetch feedbacks',
  exportFailed: 'Failed to export feedbacks',
} as const;

/** Returns the reason why the list is missing, for a user who may see it. */
export function listFailureText(error: unknown): string {
  return error instanceof SessionError ? error.message : adminText.listFailed;
}

/** `feedbacks-export-2026-11-20.csv`, with the day in local time. */
export function exportName(now: Date): string {
  const part = (value: number) => String(value).padStart(2, '0');
  return `feedbacks-export-${now.getFullYear()}-${part(now.getMonth() + 1)}-${part(now.getDate())}.csv`;
}
