export const version = '10.6.0';
