export { costWords, wholeCost, type Costs } from './cost-words.ts'
export { readUsage, type Usage, type UsageQuery, type UsageRow, type UsageSums } from './read-usage.ts'
export { usageCsv } from './usage-csv.ts'
