import type { ListedSession } from 'dragoman/client'

/** A session as the server lists it, with what matters to a test. */
export const listed = (given: Partial<ListedSession> = {}): ListedSession => ({
  id: 's',
  agent: 'scripted',
  cwd: '/home/ada/engine',
  title: 'A title',
  status: 'idle',
  archived: false,
  deleted: false,
  pinned: false,
  agentSession: null,
  handedOver: null,
  awaitsPlace: null,
  model: null,
  gitBranch: null,
  cost: null,
  tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  interactions: 1,
  running: null,
  ended: 'finished',
  pending: 0,
  branch: null,
  createdAt: 0,
  updatedAt: 0,
  seq: 1,
  ...given,
})
