import assert from 'node:assert/strict'
import type { Client } from '../../../src/client/index.ts'
import { readUsage } from '../../../src/client/usage/index.ts'
import type { Tokens } from '../../../src/protocol/data-parts.ts'
import type { LiveAgent, World } from './live-agent.ts'

const kinds = ['input', 'output', 'cacheRead', 'cacheWrite'] as const satisfies readonly (keyof Tokens)[]

/**
 * Checks that Dragoman counted what the model reported. Of an answer that was cut off an agent may report what it
 * had read, or nothing. An agent that is killed while a tool runs has not reported the request that called it.
 */
export async function checkSums(
  client: Client,
  { agent, world }: { readonly agent: LiveAgent; readonly world: World },
  unreported: number,
): Promise<void> {
  const answers = world.answers()
  const whole = answers.filter(fate => fate === 'whole').length
  const least = whole - unreported
  const most = whole + answers.filter(fate => fate === 'cut').length
  const { rows } = await readUsage(client, { by: 'agent' })
  const row = rows.find(each => each.agent === agent.name)
  const { tokens, cost } = agent.perAnswer
  const report = `The model answered ${whole} requests (${most - whole} were cut off). Counted: ${JSON.stringify(row)}`
  for (const kind of kinds) within(row?.tokens?.[kind] ?? 0, tokens[kind], least, most, `${kind}: ${report}`)
  if (cost !== null) within(row?.costs.reported ?? 0, cost, least, most, `cost: ${report}`)
}

function within(counted: number, each: number, least: number, most: number, why: string): void {
  const rounding = 1e-9
  assert.ok(counted >= each * least - rounding && counted <= each * most + rounding, why)
}
