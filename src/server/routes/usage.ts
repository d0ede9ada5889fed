import { reportUsage } from '../usage/report-usage.ts'
import type { Handlers } from './handler.ts'

/** Calls about usage across sessions. */
export const usage: Handlers<'getUsage'> = {
  getUsage: (server, { query }) => reportUsage(server, query),
}
