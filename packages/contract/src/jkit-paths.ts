/** Addresses of the jkit calls. Ids need no encoding; the server makes its routes with `:id` in the id's place. */
export const jkitPaths = {
  jkits: '/api/jkits',
  search: '/api/jkits/search',
  starred: '/api/jkits/starred',
  jkit: (id: string) => `/api/jkits/${id}`,
  /** Whether the user starred it. */
  isStarred: (id: string) => `/api/jkits/${id}/starred`,
  star: (id: string) => `/api/jkits/${id}/star`,
  rating: (id: string) => `/api/jkits/${id}/rating`,
} as const;
