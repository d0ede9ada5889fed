/** The fields that usage can be grouped by, in the order of columns. */
export const usageGroups = [
  'day',
  'hour',
  'block',
  'agent',
  'model',
  'folder',
  'branch',
  'session',
  'interaction',
  'tool',
  'file',
  'reason',
] as const
