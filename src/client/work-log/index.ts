export { followWorkLog } from './follow-work-log.ts'
export type { WorkLogEntry } from '../../projections/work-log/work-log-entry.ts'
export type { Impact } from '../../projections/work-log/impact.ts'
