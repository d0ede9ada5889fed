import { clientPaths } from './client-paths.ts'

/** Calls that few pages make. A client identifies them by their path, which the caller passes. */
export const rarePaths = {
  getLiveness: 'GET /livez',
  getReadiness: 'GET /readyz',
  getMetrics: 'GET /metrics',
  getOpenApi: 'GET /api/openapi.json',
  createTicket: 'POST /api/tickets',
  signOut: 'POST /api/sign-out',
  getUsage: 'GET /api/usage',
  search: 'GET /api/search',
  listAllApprovals: 'GET /api/approvals',
  listFolders: 'GET /api/folders',
  getSettings: 'GET /api/settings',
  changeSettings: 'PATCH /api/settings',
  listRules: 'GET /api/rules',
  revokeRuleAnywhere: 'DELETE /api/rules/:rule',
  listImports: 'GET /api/imports',
  startImport: 'POST /api/imports',
  getImport: 'GET /api/imports/:import',
  changeImports: 'PATCH /api/imports',
  changeImport: 'PATCH /api/imports/:import',
  stopImport: 'DELETE /api/imports/:import',
  exportInteraction: 'GET /api/sessions/:session/interactions/:interaction/export',
  listThinking: 'GET /api/sessions/:session/interactions/:interaction/thinking',
  listInteractions: 'GET /api/sessions/:session/interactions',
  listWorkLog: 'GET /api/sessions/:session/work-log',
  getContext: 'GET /api/sessions/:session/context',
  getRaw: 'GET /api/sessions/:session/entries/:seq/raw',
  listManipulations: 'GET /api/sessions/:session/manipulations',
  manipulate: 'POST /api/sessions/:session/manipulations',
  rollBack: 'POST /api/sessions/:session/manipulations/rollback',
  merge: 'POST /api/sessions/:session/merges',
} as const

/** Every call over HTTP by its name: the method, and the path with its parameters. */
export const paths = { ...rarePaths, ...clientPaths } as const

/** The name of a call. */
export type CallName = keyof typeof paths
