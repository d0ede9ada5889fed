import { asObject } from '../../protocol/json.ts'
import type { Readiness } from '../agent.ts'
import { listOf } from '../kit/fields.ts'
import { Refusal } from './refusal.ts'
import { sentenceOf, type Subject } from './sentences.ts'
import type { Service } from './service.ts'

const patienceMs = 3_000

/** Looks whether a service is running, accepts our token and has the program. Never throws. */
export async function find(service: Service, program: string, subject: Subject): Promise<Readiness> {
  try {
    const reply = asObject(await service.call('GET', '/v1', { signal: AbortSignal.timeout(patienceMs) }))
    const programs = listOf(reply, 'programs').map(String)
    if (programs.includes(program)) return { status: 'ready', version: null, advice: null }
    return missing(
      `The service at ${service.url} has no program "${program}". Available programs: ${programs.join(', ')}. Choose one in "program" of the agent "${subject.name}", or add it to the service's configuration.`,
    )
  } catch (error) {
    const advice = sentenceOf(error, subject)
    const isOurs = error instanceof Refusal && ['wrong-token', 'no-token'].includes(error.code)
    return isOurs ? { status: 'needs-login', version: null, lacks: 'token', advice } : missing(advice)
  }
}

const missing = (advice: string): Readiness => ({ status: 'missing', version: null, advice })
