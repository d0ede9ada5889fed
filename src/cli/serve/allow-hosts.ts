import type { Dragoman } from '../../server/create-dragoman.ts'

/** Accepts more host names: as given and, if a name has no port, also with the port of the server. */
export function allowHosts({ inside }: Dragoman, names: readonly string[], port: number): void {
  const isWhole = (name: string) => /:\d+$/.test(name) && !name.endsWith(']')
  inside.guard.hosts.add(...names.flatMap(name => (isWhole(name) ? [name] : [name, `${name}:${port}`])))
}
