/** Paths of the JKit calls. IDs need no encoding. The server builds its routes with `:id` as the ID. */
export const jkitPaths = {
  jkits: '/api/jkits',
  search: '/api/jkits/search',
  starred: '/api/jkits/starred',
  jkit: (id: string) => `/api/jkits/${id}`,
  /** Tells if the user has starred the JKit. */
  isStarred: (id: string) => `/api/jkits/${id}/starred`,
  star: (id: string) => `/api/jkits/${id}/star`,
  rating: (id: string) => `/api/jkits/${id}/rating`,
} as const;
