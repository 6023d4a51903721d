export const version = '10.11.0';
