# Proves that HAProxy answers clients, and that its master has one worker of the version that is wanted, which takes new connections.
use strict;
use warnings;
use IO::Socket::INET;
use IO::Socket::UNIX;

sub fail { print "$_[0]\n"; exit 1 }

sub ask {
    my ($socket, $text) = @_;
    $socket->autoflush(1);
    print $socket $text;
    shutdown $socket, 1;
    local $/;
    my $answer = <$socket>;
    return defined $answer ? $answer : '';
}

local $SIG{ALRM} = sub { fail('no answer for 20 seconds') };
alarm 20;

my $place = $ENV{HEALTH_PLACE};
my $client = IO::Socket::INET->new(PeerAddr => $place) or fail("nobody listens at $place: $!");
my $health = ask($client, "GET /health HTTP/1.1\r\nHost: haproxy\r\nConnection: close\r\n\r\n");
fail("$place does not answer as it should: $health") unless $health =~ m{^HTTP/1\.1 200 };

my $path = $ENV{SOCKET};
my $master = IO::Socket::UNIX->new(Peer => $path) or fail("no master at $path: $!");
my $processes = ask($master, "show proc\n");
my @workers = $processes =~ /^\d+\s+worker\s+0\s+.*?(\S+)$/mg;
fail("the master has no worker:\n$processes") unless @workers;
my $version = $ENV{VERSION};
fail("the worker is $workers[0], not $version") unless index($workers[0], $version) == 0;
print "HAProxy $workers[0] answers at $place, and its master at $path\n";
