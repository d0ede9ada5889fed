import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import type { Agent, Connection, ConnectOptions } from '../agent.ts'
import type { ModelSettings } from './configured.ts'
import { about, presets, type ProviderPreset } from './about.ts'
import { find, findModel } from './find.ts'
import { asObject } from '../kit/fields.ts'
import { readRecorded } from './recorded-line.ts'
import { declared, declaredFor, placeNames } from './options.ts'
import { readSettings, type Settings } from './settings.ts'
import { initial, translate, type ModelState } from './translate.ts'

export { modelSettingsSchema, type ModelSettings } from './configured.ts'

/** The AI SDK is large, so it is loaded only when a model is used. */
async function connect(options: ConnectOptions, settings: Settings): Promise<Connection> {
  const { connectModel } = await import('./connect.ts')
  return connectModel(options, settings)
}

/** Any model with a supported API, with the tools of a coding agent; the options say which. */
export const model: Agent<ModelState> = {
  ...about,
  options: declared,
  find: () => find(),
  check: async ({ options }) => void readSettings(options),
  connect: options => connect(options, readSettings(options.options)),
  initial: connection => initial(connection),
  translate,
  readRecorded,
}

/** A model under its own name; options of a session are added to the configured ones. Throws when they are invalid. */
export function modelAgent(
  name: string,
  configured: Readonly<Record<string, Json>>,
  title?: string,
): Agent<ModelState> {
  const settingsOf = (options: Json) => readSettings(merged(name, configured, options))
  const { service, provider, model: called } = settingsOf(null)
  return {
    ...model,
    name,
    title: title ?? `${called} (${service})`,
    options: declaredFor(provider),
    find: () => findModel(settingsOf(null)),
    check: async ({ options }) => void settingsOf(options),
    connect: options => connect(options, settingsOf(options.options)),
    initial: connection => initial(connection, name),
  }
}

/** Only the settings say where a key is and where it is sent; a user who creates a session cannot. */
function merged(name: string, configured: Readonly<Record<string, Json>>, options: Json): Json {
  const taken = Object.keys(asObject(options)).find(key => placeNames.includes(key))
  if (taken !== undefined)
    throw new DragomanError(
      'invalid-input',
      `The option "${taken}" of "${name}" is set in the settings and cannot be changed for a session. Use the agent "model", or add another to "agents".`,
    )
  return { ...configured, ...asObject(options) }
}

/** The model that settings add under a name. */
export function configuredModel(name: string, settings: ModelSettings): Agent<ModelState> {
  const options = Object.entries(settings).filter(([key]) => key !== 'kind' && key !== 'title')
  return modelAgent(name, Object.fromEntries(options), settings.title)
}

/** The agent of a service with a default address and a default model. */
export const modelPreset = ({ provider, about: { title } }: ProviderPreset): Agent<ModelState> =>
  modelAgent(provider, { provider }, title)

/** An agent for each service with a default address and a default model. */
export const modelPresets: readonly Agent<ModelState>[] = presets.map(modelPreset)
