export { remoteSettingsSchema, type RemoteSettings } from './settings.ts'
