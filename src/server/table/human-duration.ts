/** A length of time as tables of Kubernetes show it: two units at most, and fewer the longer it is. */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return two(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 2920 ? two(years, 'y', days % 365, 'd') : `${years}y`;
}

/** How long ago a moment was; the words of a server where it is not known. */
export function since(moment: unknown, now: number): string {
  if (typeof moment !== 'string') return '<unknown>';
  const at = Date.parse(moment);
  return Number.isNaN(at) ? '<invalid>' : humanDuration(now - at);
}

function two(more: number, big: string, less: number, small: string): string {
  return less === 0 ? `${more}${big}` : `${more}${big}${less}${small}`;
}
