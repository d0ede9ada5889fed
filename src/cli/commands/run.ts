import { text } from 'node:stream/consumers'
import { wrongUsage } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags, runningFlags } from '../configuration/flags.ts'
import { agentFor, agentsOf } from '../configured-agents.ts'
import { createJsonView, createTranscriptView } from '../entry-view.ts'
import { openSessionsApi } from '../sessions-api/open-sessions-api.ts'
import { chooseSession, readCreation } from '../run/choose-session.ts'
import { runPrompt } from '../run/run-prompt.ts'

/** Runs a prompt in a new or an existing session. */
export const run = defineCommand({
  name: 'run',
  operands: ['PROMPT'],
  about: `
Runs a prompt in a new session, or continues one, and shows the agent's work live.
Use "-" as PROMPT to read it from standard input. Approvals are requested in the terminal;
without a terminal they are denied. Press Ctrl-C to stop the agent, and again to quit.
Exits with 0 when the agent finished, and with 1 when it failed or was stopped.`,
  flags: {
    agent: {
      type: 'string',
      value: 'NAME',
      help: 'the agent (default: the best one that is ready) (DRAGOMAN_AGENT)',
    },
    session: {
      type: 'string',
      value: 'ID',
      help: 'continue this session; a unique prefix of its ID is enough',
    },
    cwd: { type: 'string', value: 'DIR', help: 'the folder to work in (default: the current one)' },
    title: { type: 'string', value: 'TEXT', help: 'the title of the new session' },
    script: { type: 'string', value: 'FILE', help: 'the scenario that the scripted agent plays' },
    option: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      help: 'an option of the agent, as in model=opus; `doctor --options` lists them',
    },
    options: { type: 'string', value: 'JSON', help: 'options of the agent as a JSON object' },
    ...folderFlags,
    ...runningFlags,
  },
  async run({ flags, operands }, shell) {
    const prompt = await readPrompt(operands[0] ?? '', shell.stdin)
    const configuration = readConfiguration(flags, shell)
    const json = flags.json === true
    const agents = await agentsOf(configuration)
    const agent = flags.session === undefined ? await agentFor(configuration, agents, shell.cwd) : ''
    const choice = { ...flags, agent }
    const creation = await readCreation(choice, shell.cwd, agents, configuration.data)
    await using api = await openSessionsApi('run', configuration, shell)
    const { session, after } = await chooseSession(api, creation, choice)
    const view = json ? createJsonView(shell.out) : createTranscriptView(shell.out)
    const interactive = !json && shell.stdin.isTTY && shell.out.isTerminal
    const code = await runPrompt({
      api,
      agents,
      session,
      after,
      prompt,
      view,
      raw: json,
      shell,
      interactive,
    })
    const where = flags.data === undefined ? '' : ` --data ${flags.data}`
    view.endLine()
    if (!json)
      shell.out.write(shell.out.style.dim(`session ${session} · dragoman tail ${session}${where}`) + '\n')
    return code
  },
})

/** The prompt as it was typed, or all of standard input for "-". An empty one is refused. */
async function readPrompt(operand: string, stdin: NodeJS.ReadStream): Promise<string> {
  // As in a shell, the last newline is not part of the text.
  const prompt = operand === '-' ? (await text(stdin)).replace(/\r?\n$/, '') : operand
  if (prompt.trim() === '') throw wrongUsage('run', 'The prompt is empty.')
  return prompt
}
