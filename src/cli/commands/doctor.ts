import { defineCommand } from '../command.ts'
import {
  agentsMeant,
  folderMeant,
  readConfiguration,
  type FlagTexts,
} from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { agentFaults } from '../configured-agents.ts'
import { checkAgents, findAgents } from '../doctor/check-agents.ts'
import { checkFolder } from '../doctor/check-folder.ts'
import { checkMachine } from '../doctor/check-machine.ts'
import { checkServer } from '../doctor/check-server.ts'
import type { Check } from '../doctor/check.ts'
import type { Shell } from '../shell.ts'
import { inertLine } from '../terminal/inert.ts'
import { optionsText } from '../doctor/options-text.ts'
import type { Style } from '../terminal/style.ts'
import { jsonLine } from '../terminal/json-line.ts'

/** Checks whether Dragoman can work here. */
export const doctor = defineCommand({
  name: 'doctor',
  operands: [],
  about: `
Checks this machine, the data folder and the agents, and suggests a fix for each problem.
Exits with 1 only when Dragoman cannot be used.`,
  flags: {
    options: { type: 'boolean', help: 'list the options of each agent, for `run --option`' },
    ...folderFlags,
  },
  async run({ flags }, shell) {
    const folder = folderMeant(flags, shell)
    const server = await checkServer(folder)
    const agents = server.agents ?? (await findAgents(await agentsMeant(flags, shell)))
    const checks = [
      await checkSettings(flags, shell),
      ...checkMachine(folder),
      ...checkFolder(folder),
      ...server.checks,
      ...checkAgents(agents),
    ]
    const usable = checks.every(({ status }) => status !== 'fail')
    const listed = flags.options === true ? agents.map(({ name, options }) => ({ name, options })) : null
    const text = () =>
      [
        ...checks.map(check => checkText(check, shell.out.style)),
        ...(listed ?? []).map(agent => optionsText(agent, shell.out.style)),
      ].join('')
    const json = { usable, checks, ...(listed !== null && { agents: listed }) }
    shell.out.write(flags.json === true ? jsonLine(json) : text())
    return usable ? 0 : 1
  },
})

function checkText({ name, status, detail, advice }: Check, style: Style): string {
  const mark = { ok: style.green('✓'), warn: style.yellow('!'), fail: style.red('✗') }[status]
  const todo = advice === undefined ? '' : `\n    ${style.bold(inertLine(advice))}`
  return `${mark} ${name.padEnd(16)} ${inertLine(detail)}${todo}\n`
}

async function checkSettings(flags: FlagTexts, shell: Shell): Promise<Check> {
  try {
    const faults = await agentFaults(readConfiguration(flags, shell))
    if (faults.length > 0) return { name: 'settings', status: 'warn', detail: faults.join(' ') }
    return { name: 'settings', status: 'ok', detail: 'valid' }
  } catch (error) {
    return { name: 'settings', status: 'fail', detail: (error as Error).message }
  }
}
