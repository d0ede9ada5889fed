/** The tools of a model, by name. */
export const toolNames = [
  'read',
  'write',
  'edit',
  'list',
  'search',
  'run',
  'fetch',
  'todo',
  'delegate',
  'ask',
  'recall',
] as const

/** The name of a tool. */
export type ToolName = (typeof toolNames)[number]
