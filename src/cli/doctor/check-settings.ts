import { readConfiguration, type FlagTexts } from '../configuration/configuration.ts'
import { agentFaults } from '../configured-agents.ts'
import type { Shell } from '../shell.ts'
import type { Check } from './check.ts'

/** Checks the settings. */
export async function checkSettings(flags: FlagTexts, shell: Shell): Promise<Check> {
  try {
    const faults = await agentFaults(readConfiguration(flags, shell))
    if (faults.length > 0) return { name: 'settings', status: 'warn', detail: faults.join(' ') }
    return { name: 'settings', status: 'ok', detail: 'valid' }
  } catch (error) {
    return { name: 'settings', status: 'fail', detail: (error as Error).message }
  }
}
