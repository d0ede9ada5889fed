/** Every call over HTTP by its name: the method, and the path with its parameters. No schema here: clients carry this along. */
export const paths = {
  getLiveness: 'GET /livez',
  getReadiness: 'GET /readyz',
  getMetrics: 'GET /metrics',
  getOpenApi: 'GET /api/openapi.json',
  createTicket: 'POST /api/tickets',
  listAgents: 'GET /api/agents',
  createSession: 'POST /api/sessions',
  listSessions: 'GET /api/sessions',
  watchSessions: 'GET /api/live/sessions',
  getSession: 'GET /api/sessions/:session',
  changeSession: 'PATCH /api/sessions/:session',
  deleteSession: 'DELETE /api/sessions/:session',
  getSnapshot: 'GET /api/sessions/:session/snapshot',
  listMessages: 'GET /api/sessions/:session/messages',
  listEntries: 'GET /api/sessions/:session/entries',
  getRaw: 'GET /api/sessions/:session/entries/:seq/raw',
  prompt: 'POST /api/sessions/:session/prompts',
  withdrawPrompt: 'DELETE /api/sessions/:session/prompts/:prompt',
  continueQueue: 'POST /api/sessions/:session/continue',
  interrupt: 'POST /api/sessions/:session/interrupt',
  listApprovals: 'GET /api/sessions/:session/approvals',
  answerApproval: 'POST /api/sessions/:session/approvals/:approval',
  revokeRule: 'DELETE /api/sessions/:session/rules/:rule',
  branch: 'POST /api/sessions/:session/branches',
  chat: 'POST /api/chat',
  resumeChat: 'GET /api/chat/:session/stream',
} as const

/** The name of a call. */
export type CallName = keyof typeof paths
