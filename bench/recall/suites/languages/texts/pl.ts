import type { Language } from "../language.ts";

export const pl: Language = {
  code: "pl",
  everyday: {
    frame: "{who} {verb} {object} {when}.",
    who: "Agnieszka;Krzysztof;Magdalena;Paweł;Katarzyna;Wojciech;Joanna;Grzegorz;Zofia;Jakub;Małgorzata;Michał",
    when: "w czwartek;w weekend;codziennie;dziś wieczorem;po południu;w południe;po obiedzie;wieczorami;od rana;w kwietniu;w listopadzie;pierwszego dnia miesiąca;o siódmej;o wpół do dziesiątej",
    deeds: [
      "pisze;czyta;sprawdza;wysyła;podpisuje|list;umowę;fakturę;raport;formularz zamówienia;listę gości;komunikat prasowy",
      "sprzedaje;naprawia;czyści;kupuje;fotografuje|rower;starą kanapę;lampę;drewnianą łódź;zegar ścienny;regał na książki;stół kuchenny",
      "spotyka;odwiedza;wypytuje|architekta;panią burmistrz;ogrodnika;dziennikarkę;fotografa;krawca;pszczelarza",
      "testuje;ulepsza;objaśnia|koszyk zakupowy;wykres;szablon wydruku;stronę startową;galerię zdjęć;formularz kontaktowy",
    ],
  },
  facts: `
    1 Marta ma alergię na orzeszki ziemne i zawsze nosi przy sobie adrenalinę w ampułkostrzykawce. => Na co Marta ma alergię? => Czego nie może być w jedzeniu, kiedy gotujemy dla Marty?
    2 Użytkownik chce krótkich odpowiedzi bez wypunktowań. => Jakich odpowiedzi chce użytkownik? => Jak długie mają być wypowiedzi i w jakiej formie?
    3 Jonas pije czarną kawę bez cukru. => Jaką kawę pije Jonas? => Czy Jonas dolewa mleka do gorących napojów?
    4 W edytorze użytkownik woli ciemny motyw z dużą czcionką. => Jaki motyw woli użytkownik w edytorze? => Jak powinno wyglądać środowisko programistyczne?
    5 Nasza córka ponad wszystko kocha dinozaury. => Co nasza córka kocha najbardziej? => Jaki prezent ucieszyłby naszą małą dziewczynkę?
    6 Ines od dziesięciu lat jest wegetarianką. => Od kiedy Ines jest wegetarianką? => Czy Ines je mięso?
    7 Na loty użytkownik zawsze rezerwuje miejsce przy oknie. => Jakie miejsce użytkownik rezerwuje na loty? => Gdzie użytkownik lubi siedzieć w samolocie?
    8 Moja matka słucha tylko muzyki klasycznej, przede wszystkim Bacha. => Jakiej muzyki słucha moja matka? => Z jakich biletów na koncert ucieszyłaby się mama?
    9 Tomas od marca kieruje zespołem płatności. => Kto kieruje zespołem płatności? => Kto jest szefem ludzi, którzy pracują nad rozliczeniami?
    10 Priya ma urodziny 14 października. => Kiedy Priya ma urodziny? => Którego dnia powinniśmy złożyć Priyi życzenia?
    11 Mój sąsiad, pan Keller, jest emerytowanym stolarzem. => Jaki zawód miał mój sąsiad, pan Keller? => Czym zajmował się zawodowo człowiek zza ściany?
    12 Nasz księgowy jest osiągalny telefonicznie tylko we wtorki rano. => Kiedy nasz księgowy jest osiągalny telefonicznie? => Kiedy mogę zadzwonić do osoby, która prowadzi nasze podatki?
    13 Sofia mówi biegle po portugalsku i niderlandzku. => W jakich językach mówi Sofia? => Kto mógłby nam przetłumaczyć list z Lizbony?
    14 Nowa stażystka zaczyna 1 września. => Kiedy zaczyna nowa stażystka? => Kiedy dołączy do nas praktykantka?
    15 Nasz wynajmujący mieszka za granicą i odpowiada tylko na e-maile. => Gdzie mieszka nasz wynajmujący? => Jak skontaktować się z właścicielem mieszkania?
    16 Mój brat przeprowadził się zeszłego lata do Oslo. => Dokąd przeprowadził się mój brat? => W jakim mieście żyje teraz mój brat?
    17 Aplikacja mobilna musi być gotowa przed majowymi targami. => Kiedy aplikacja mobilna musi być gotowa? => Do kiedy mamy dostarczyć program na smartfony?
    18 Klient odrzucił nasz pierwszy projekt graficzny, bo był zbyt kolorowy. => Dlaczego klient odrzucił nasz pierwszy projekt graficzny? => Dlaczego zleceniodawcy nie spodobał się początkowy szkic?
    19 Budżet na nowy magazyn wynosi 80 000 euro. => Ile wynosi budżet na nowy magazyn? => Ile pieniędzy możemy wydać na halę składową?
    20 Tłumaczenie podręcznika ma dwa tygodnie opóźnienia. => Jak duże opóźnienie ma tłumaczenie podręcznika? => O ile spóźniają się instrukcje obsługi w innych językach?
    21 Pilotaż w szpitalu zakończono wcześniej, ponieważ pielęgniarki skarżyły się na powolne ekrany. => Dlaczego pilotaż w szpitalu zakończono wcześniej? => Dlaczego przerwano próbę w klinice?
    22 Kryptonim nowej, napisanej od zera wyszukiwarki to Heron. => Jaki jest kryptonim nowej wyszukiwarki? => Jak nazywamy między sobą nowy mechanizm szukania?
    23 Nowa wersja ukazuje się w pierwszy poniedziałek każdego miesiąca. => Kiedy ukazuje się nowa wersja? => Jak często wychodzą wydania?
    24 Widżet pogodowy zostanie otwarty na licencji MIT. => Na jakiej licencji zostanie otwarty widżet pogodowy? => Na jakich warunkach prawnych udostępniamy kod komponentu z prognozą?
    25 W środowisku przedprodukcyjnym Postgres nasłuchuje na porcie 5433. => Jakiego portu używa Postgres w środowisku przedprodukcyjnym? => Jak połączyć się z testową bazą danych?
    26 Kopie zapasowe robią się co noc o trzeciej i są przechowywane przez trzydzieści dni. => Jak długo są przechowywane kopie zapasowe? => Jak długo można odzyskać utracone dane?
    27 Alerty trafiają na kanał #on-call, a nie na pocztę. => Dokąd trafiają alerty? => Gdzie pojawiają się ostrzeżenia o awarii?
    28 Każdy klucz API może wysłać sto żądań na minutę. => Ile żądań na minutę może wysłać klucz API? => Jak często klient może wywoływać nasz interfejs, zanim zostanie spowolniony?
    29 Przesyłane obrazy nie mogą być większe niż 10 megabajtów. => Jak duże mogą być przesyłane obrazy? => Jak duży może być plik ze zdjęciem?
    30 Serwery produkcyjne stoją we Frankfurcie. => Gdzie stoją serwery produkcyjne? => Gdzie jest hostowany nasz działający system?
    31 Hasła trzymamy w sejfie, nigdy w plikach środowiskowych. => Gdzie trzymamy hasła? => Gdzie należy przechowywać sekrety?
    32 Certyfikat strony wygasa 30 listopada. => Kiedy wygasa certyfikat strony? => Do kiedy musimy odnowić TLS?
    33 Sesja kończy się po piętnastu minutach bezczynności. => Po ilu minutach bezczynności kończy się sesja? => Kiedy nieaktywny użytkownik jest automatycznie wylogowywany?
    34 Wybraliśmy Kafkę zamiast RabbitMQ, bo wiadomości muszą dać się odtworzyć ponownie. => Dlaczego wybraliśmy Kafkę? => Na jakiego brokera komunikatów się zdecydowaliśmy i z jakiego powodu?
    35 Zespół postanowił porzucić obsługę przeglądarki Internet Explorer. => Jakiej przeglądarki zespół już nie obsługuje? => Którym programem do stron internetowych już się nie przejmujemy?
    36 W styczniu ceny rosną o pięć procent. => O ile rosną ceny w styczniu? => O ile więcej zapłacą klienci w przyszłym roku?
    37 Przed latem nikogo nie zatrudniamy. => Kiedy znowu będziemy zatrudniać ludzi? => Czy są teraz jakieś wolne stanowiska?
    38 Wszystkie daty są zapisywane w UTC. => W jakiej strefie czasowej zapisywane są daty? => Jakiej strefy czasowej używamy dla znaczników czasu?
    39 Biuro jest zamknięte między Bożym Narodzeniem a Nowym Rokiem. => Kiedy biuro jest zamknięte? => Czy ktoś pracuje w ostatnim tygodniu grudnia?
    40 Każda zmiana wymaga akceptacji dwóch recenzentów. => Ilu recenzentów musi zaakceptować zmianę? => Ile osób musi obejrzeć pull request przed scaleniem?
    41 Planowanie tygodnia przeniesiono z poniedziałku na środę na dziesiątą. => Kiedy odbywa się planowanie tygodnia? => Kiedy siadamy razem, żeby rozplanować kolejne dni?
    42 Na posiedzeniu zarządu Nadia przedstawiła wyniki sprzedaży. => Kto przedstawił wyniki sprzedaży na posiedzeniu zarządu? => Kto mówił o przychodach przed dyrekcją?
    43 Rozmowę z dostawcą odwołano z powodu strajku. => Dlaczego odwołano rozmowę z dostawcą? => Dlaczego nie porozmawialiśmy z kontrahentem?
    44 Retrospektywa pokazała, że testy wykonują się za długo. => Co pokazała retrospektywa? => Co najbardziej przeszkadzało programistom, gdy podsumowywali sprint?
    45 Skrypt importujący wywala się, jeśli wiersz zawiera średnik. => Kiedy wywala się skrypt importujący? => Przez jaki znak nie udaje się wczytać danych?
    46 Nasz pociąg do Wiednia odjeżdża o 7:42 z toru 9. => O której odjeżdża nasz pociąg do Wiednia? => O której wyruszamy do Austrii?
    47 W Kioto mieszkaliśmy w małym zajeździe nad rzeką. => Gdzie mieszkaliśmy w Kioto? => Gdzie nocowaliśmy podczas podróży do Japonii?
    48 Mój paszport jest ważny do 2031 roku. => Do kiedy jest ważny mój paszport? => Do kiedy muszę złożyć wniosek o nowe dokumenty podróżne?
    49 Na wakacje w Szkocji wynajęliśmy kampera. => Co wynajęliśmy na wakacje w Szkocji? => Czym jeździliśmy po górach na północy Wielkiej Brytanii?
    50 Walizka z urwanym kółkiem jest w piwnicy. => Gdzie jest walizka z urwanym kółkiem? => Gdzie jest uszkodzony bagaż?
    51 Dziadek co rano bierze tabletkę na ciśnienie. => Co dziadek bierze co rano? => Jaki lek przyjmuje dziadziuś?
    52 Wizytę u dentysty mam w czwartek o wpół do piątej. => Kiedy mam wizytę u dentysty? => Kiedy będę mieć przegląd zębów?
    53 Lekarz zalecił Karimowi pływanie dwa razy w tygodniu na kręgosłup. => Co lekarz zalecił Karimowi? => Jaki sport powinien uprawiać Karim przeciw bólowi?
    54 Od czasu operacji ciocia Rosa nie może chodzić po schodach. => Od kiedy ciocia Rosa nie może chodzić po schodach? => Dlaczego Rosa potrzebuje mieszkania z windą?
    55 Zapasowy klucz leży pod niebieską doniczką. => Gdzie leży zapasowy klucz? => Jak wejść do domu, jeśli zatrzasnę drzwi?
    56 Pralka przecieka podczas wirowania. => Kiedy przecieka pralka? => Z którego sprzętu domowego leci woda?
    57 Kot dostaje jeść tylko wieczorem. => Kiedy kot dostaje jeść? => O jakiej porze dnia karmimy nasze zwierzę?
    58 Makulaturę odbierają w co drugi piątek. => Jak często odbierają makulaturę? => Kiedy trzeba wystawić stare gazety na ulicę?
    59 Funkcja parsująca daty zawodzi w latach przestępnych. => W jakich latach zawodzi funkcja parsująca daty? => Jaki błąd mamy z 29 lutego?
    60 Testy działają równolegle, więc nie mogą dzielić katalogu tymczasowego. => Dlaczego testy nie mogą dzielić katalogu tymczasowego? => Dlaczego każdy przypadek testowy potrzebuje własnego folderu?
  `,
};
