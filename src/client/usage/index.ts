export { readUsage, type Usage, type UsageQuery, type UsageRow, type UsageSums } from './read-usage.ts'
