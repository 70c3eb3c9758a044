import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

const TITLE = 'zerto-rewind-proxy';
const TEXT = 'An agent waits for your answer. In a terminal: zerto-rewind-proxy approve';
/** A flood of questions is one notification. */
const QUIET_MS = 60_000;

// Toasts need an application that Windows knows: PowerShell's own.
const TOAST = `
[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]
$t = [Windows.UI.Notifications.ToastNotificationManager]::GetTemplateContent(1)
$n = $t.GetElementsByTagName('text')
[void]$n.Item(0).AppendChild($t.CreateTextNode('${TITLE}'))
[void]$n.Item(1).AppendChild($t.CreateTextNode('${TEXT}'))
$app = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
[Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($app).Show([Windows.UI.Notifications.ToastNotification]::new($t))`;

/**
 * The program that shows the notification, by its full path; undefined where there is no desktop. The text is always the same: a code
 * or an agent's words would stand in the list of processes, or could pass for something else.
 */
export function notifier(platform: NodeJS.Platform, env: Environment): readonly [string, ...string[]] | undefined {
  if (platform === 'darwin')
    return ['/usr/bin/osascript', '-e', `display notification "${TEXT}" with title "${TITLE}"`];
  if (platform === 'win32') {
    const shell = `${env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`;
    return [shell, '-NoProfile', '-NonInteractive', '-Command', TOAST];
  }
  const desktop = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return desktop ? ['/usr/bin/notify-send', '--app-name', TITLE, TITLE, TEXT] : undefined;
}

/** Shows a desktop notification that something waits, at most once a minute. Whatever goes wrong is nobody's trouble. */
export function createNotify(platform: NodeJS.Platform, env: Environment, steady: () => number): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const command = notifier(platform, env);
    if (command === undefined || steady() - last < QUIET_MS) return;
    last = steady();
    const [program, ...args] = command;
    if (!existsSync(program)) return;
    spawn(program, args, { stdio: 'ignore', detached: true, windowsHide: true })
      .on('error', () => undefined)
      .unref();
  };
}
